import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import { keys } from './query-keys.ts'

const users = '/api/collections/users'

export interface Passkey {
  id: string
  name: string
  created: string
  /** '' if it has never signed in. */
  used: string
}

export function passkeysQuery(api: PocketBase, user: string) {
  return queryOptions({
    queryKey: keys.passkeysOf(user),
    queryFn: async () =>
      (await api.send<{ passkeys: Passkey[] }>(`${users}/passkeys`, {})).passkeys,
  })
}

/** What the browser says of passkeys, loaded when one is first used. */
const library = () => import('@simplewebauthn/browser')

/**
 * Has the browser make a passkey, and adds it.
 *
 * @throws what the server refuses, or a DOMException if no passkey was made
 */
export async function addPasskey(
  api: PocketBase,
  { name, password }: { name: string; password: string },
): Promise<void> {
  const optionsJSON = await api.send<PublicKeyCredentialCreationOptionsJSON>(
    `${users}/passkeys/options`,
    { method: 'POST', body: { password } },
  )
  const { startRegistration } = await library()
  const response = await startRegistration({ optionsJSON })
  await api.send(`${users}/passkeys`, { method: 'POST', body: { name, response } })
}

export function renamePasskey(api: PocketBase, id: string, name: string): Promise<unknown> {
  return api.send(`${users}/passkeys/${id}`, { method: 'PATCH', body: { name } })
}

export function removePasskey(api: PocketBase, id: string): Promise<unknown> {
  return api.send(`${users}/passkeys/${id}`, { method: 'DELETE' })
}

/**
 * Signs in with a passkey; the session is then in the cookie.
 *
 * @param mfaId of the sign-in whose code it stands in for; '' for the passkey alone
 * @param account the id of the only account that will do; '' for any
 * @throws what the server refuses, or a DOMException if the browser found none or was told to stop
 */
export async function signInWithPasskey(
  api: PocketBase,
  { mfaId = '', account = '' }: { mfaId?: string | undefined; account?: string | undefined },
): Promise<void> {
  const optionsJSON = await api.send<PublicKeyCredentialRequestOptionsJSON>(
    `${users}/request-passkey`,
    { method: 'POST', body: { mfaId } },
  )
  const { startAuthentication } = await library()
  const response = await startAuthentication({ optionsJSON })
  await api.send(`${users}/auth-with-passkey`, {
    method: 'POST',
    body: { response, mfaId, account },
  })
}

/** @returns whether the browser, not the server, ended it: no passkey here, or cancelled */
export function isPasskeyCancelled(error: unknown): boolean {
  return error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)
}
