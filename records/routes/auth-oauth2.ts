import type { ProviderAccount } from '../auth/oauth2-provider.ts'
import { ApiError } from '../errors.ts'
import { formatDate } from '../schema/coerce.ts'
import {
  usesSessionCookie,
  refuseForeignCookie,
  signInResponse,
  type AuthRouteDeps,
} from './auth-response.ts'
import { authCollection, readForm } from './auth-form.ts'
import { requestInfo, type Handler } from './request-info.ts'

/** `POST /collections/:collection/auth-with-oauth2` */
export function oauth2Route(deps: AuthRouteDeps): Handler {
  const { core, auth } = deps
  return async (c) => {
    refuseForeignCookie(auth, c)
    const collection = authCollection(core, c)
    if (!auth.oauth2.isEnabled(collection))
      throw new ApiError(403, 'The collection is not configured to allow OAuth2 authentication.')
    const { provider, code } = await readForm(c, { provider: 100, code: 4096 })
    const body = c.get('body') ?? {}
    const text = (name: string) => (typeof body[name] === 'string' ? body[name] : '')
    const attempt = {
      provider,
      code,
      codeVerifier: text('codeVerifier'),
      redirectUrl: text('redirectURL') || text('redirectUrl'),
      // Like `mfaId`, it may be in the query, as the official client can't add to this body.
      account: c.req.query('account') || text('account'),
    }
    const result = await auth.withOAuth2(
      collection,
      attempt,
      requestInfo(c, 'oauth2'),
      c.get('network'),
    )
    const meta = metaOf(result.account, result.isNew, usesSessionCookie(c))
    return signInResponse(deps, collection, result.signIn, c, { context: 'oauth2', meta })
  }
}

/**
 * @param hidesTokens whether to hide the provider's tokens, as the session's is hidden from scripts
 */
function metaOf(account: ProviderAccount, isNew: boolean, hidesTokens: boolean): object {
  return {
    accessToken: hidesTokens ? '' : account.accessToken,
    avatarURL: account.picture,
    avatarUrl: account.picture,
    email: account.email,
    expiry: account.expires ? formatDate(account.expires) : '',
    id: account.subject,
    isNew,
    name: account.name,
    rawUser: account.claims,
    refreshToken: hidesTokens ? '' : account.refreshToken,
    username: account.username,
  }
}
