import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Context } from 'hono'
import { listPasskeys, renamePasskey, type Passkey } from '../auth/passkeys.ts'
import { ApiError, invalidForm } from '../errors.ts'
import { formatDate } from '../schema/coerce.ts'
import { errors } from '../schema/validate.ts'
import { mfaIdOf } from './auth.ts'
import { authCollection, ownAccount, readFields, readForm } from './auth-form.ts'
import { refuseForeignCookie, signInResponse, type AuthRouteDeps } from './auth-response.ts'
import { requestInfo, type Env, type Handler } from './request-info.ts'
import { emptyResponse, jsonResponse, pickedResponse, toJson } from './response.ts'

/** Characters of a passkey's name. */
const maxName = 60

/** `GET /collections/:collection/passkeys`: those of the viewer's account */
export function passkeysRoute({ core }: AuthRouteDeps): Handler {
  return async (c) => {
    const { collection, viewer } = ownAccount(core, c)
    const passkeys = await listPasskeys(core.database, collection, viewer.id)
    return pickedResponse(c, toJson({ passkeys: passkeys.map(shown) }))
  }
}

/** `POST /collections/:collection/passkeys/options`: begins to add one, with the password */
export function passkeyOptionsRoute({ core, auth }: AuthRouteDeps): Handler {
  return async (c) => {
    const { collection, viewer } = ownAccount(core, c)
    const hasPasswords = collection.auth.passwords !== false
    const { password = '' } = await readForm<string>(c, hasPasswords ? { password: 100 } : {})
    const network = c.get('network')
    const options = await auth.webAuthn.beginRegistration(collection, viewer, password, network)
    return jsonResponse(toJson(options))
  }
}

/** `POST /collections/:collection/passkeys` */
export function addPasskeyRoute({ core, auth }: AuthRouteDeps): Handler {
  return async (c) => {
    const { collection, viewer } = ownAccount(core, c)
    const { name } = await readForm(c, { name: maxName })
    const response = credentialOf(c, ['clientDataJSON', 'attestationObject'])
    const added = await auth.webAuthn.register(
      auth.accountsFor(c),
      collection,
      viewer,
      name.trim() || '?',
      response as unknown as RegistrationResponseJSON,
    )
    return jsonResponse(toJson(shown(added)))
  }
}

/** `PATCH /collections/:collection/passkeys/:id` */
export function renamePasskeyRoute({ core }: AuthRouteDeps): Handler {
  return async (c) => {
    const { viewer } = ownAccount(core, c)
    const { form, found } = await readFields(c, { name: maxName })
    if (!form.name.trim()) found['name'] = errors.required
    if (Object.keys(found).length) throw invalidForm(found)
    const id = c.req.param('id') ?? ''
    const isRenamed = await core.database.transaction((tx) =>
      renamePasskey(tx, viewer.id, id, form.name.trim()),
    )
    if (!isRenamed) throw new ApiError(404)
    return emptyResponse()
  }
}

/** `DELETE /collections/:collection/passkeys/:id` */
export function removePasskeyRoute({ core, auth }: AuthRouteDeps): Handler {
  return async (c) => {
    const { collection, viewer } = ownAccount(core, c)
    await auth.webAuthn.remove(collection, viewer, c.req.param('id') ?? '')
    return emptyResponse()
  }
}

/** `POST /collections/:collection/request-passkey`: begins to sign in with one */
export function requestPasskeyRoute({ core, auth }: AuthRouteDeps): Handler {
  return async (c) => {
    const collection = authCollection(core, c)
    await readForm(c, {})
    return jsonResponse(toJson(await auth.webAuthn.beginSignIn(collection, mfaIdOf(c))))
  }
}

/** `POST /collections/:collection/auth-with-passkey` */
export function passkeyRoute(deps: AuthRouteDeps): Handler {
  return async (c) => {
    refuseForeignCookie(deps.auth, c)
    const collection = authCollection(deps.core, c)
    await readForm(c, {})
    const response = credentialOf(c, ['clientDataJSON', 'authenticatorData', 'signature'])
    const account: unknown = c.get('body')?.['account']
    const attempt = {
      response: response as unknown as AuthenticationResponseJSON,
      mfaId: mfaIdOf(c),
      account: typeof account === 'string' ? account : '',
    }
    const result = await deps.auth.withPasskey(collection, attempt, requestInfo(c, 'passkey'))
    return signInResponse(deps, collection, result, c, { context: 'passkey' })
  }
}

const shown = ({ id, name, created, used }: Passkey) => ({
  id,
  name,
  created: formatDate(new Date(created)),
  used: used ? formatDate(new Date(used)) : '',
})

/**
 * The credential that the browser has made, as far as its texts are there; the rest is for the
 * library to refuse.
 *
 * @throws ApiError 400 if they are not
 */
function credentialOf(c: Context<Env>, parts: string[]): Record<string, unknown> {
  const response: unknown = c.get('body')?.['response']
  const isText = (of: unknown, name: string) =>
    typeof of === 'object' && of !== null && typeof Reflect.get(of, name) === 'string'
  const inner: unknown = isText(response, 'id') && Reflect.get(response as object, 'response')
  const hasHandle =
    typeof inner === 'object' &&
    inner !== null &&
    ['string', 'undefined'].includes(typeof Reflect.get(inner, 'userHandle'))
  if (!hasHandle || !parts.every((name) => isText(inner, name)))
    throw invalidForm({ response: errors.required })
  return response as Record<string, unknown>
}
