import { listExternalAuths } from '../auth/external-auths.ts'
import { unlinkProvider } from '../auth/linked-providers.ts'
import { formatDate } from '../schema/coerce.ts'
import { ApiError } from '../errors.ts'
import { authCollection, ownAccount, readForm } from './auth-form.ts'
import type { AuthRouteDeps } from './auth-response.ts'
import type { Handler } from './request-info.ts'
import { emptyResponse, jsonResponse, pickedResponse, toJson } from './response.ts'

/** `GET /collections/:collection/providers`: the providers linked to the viewer's account */
export function linkedProvidersRoute({ core }: AuthRouteDeps): Handler {
  return async (c) => {
    const { collection, viewer } = ownAccount(core, c)
    const linked = await listExternalAuths(core.database, collection, viewer.id)
    const providers = linked.map(({ provider, created, used }) => ({
      provider,
      created: formatDate(new Date(created)),
      used: used ? formatDate(new Date(used)) : '',
    }))
    return pickedResponse(c, toJson({ providers }))
  }
}

/** `DELETE /collections/:collection/providers/:provider` */
export function unlinkProviderRoute({ core }: AuthRouteDeps): Handler {
  return async (c) => {
    const { collection, viewer } = ownAccount(core, c)
    await unlinkProvider(core, collection, viewer, c.req.param('provider') ?? '')
    return emptyResponse()
  }
}

/**
 * `POST /collections/:collection/backchannel-logout/:provider`: the provider itself says that
 * sessions have ended (OpenID Connect Back-Channel Logout 1.0)
 */
export function backchannelLogoutRoute({ core, auth }: AuthRouteDeps): Handler {
  return async (c) => {
    const collection = authCollection(core, c)
    try {
      const { logout_token: token } = await readForm(c, { logout_token: 16_384 })
      await auth.endByProvider(collection, c.req.param('provider') ?? '', token)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400) throw error
      // The provider's log is where its operator looks; anybody could fill this one.
      const { cause, message } = error
      const reason = cause instanceof Error ? `${message} ${cause.message}` : message
      const refusal = { error: 'invalid_request', error_description: reason }
      return jsonResponse(toJson(refusal), 400)
    }
    return jsonResponse('{}', 200)
  }
}
