import { decodeJwt } from 'jose'
import PocketBase, { type ClientResponseError, type RecordModel } from 'pocketbase'
import type { Octavo } from '#tests/octavo.ts'
import type { MailServer } from '#tests/smtp.ts'

const ownPassword = 'burning the midnight oil'

/** Makes an account and signs in to it, with the code that is mailed. @returns its token */
export async function signUp(octavo: Octavo, post: MailServer, name = 'night'): Promise<string> {
  const email = `${name}@example.org`
  const users = new PocketBase(octavo.url).collection('users')
  await users.create({ email, password: ownPassword, passwordConfirm: ownPassword })
  return signIn(octavo, post, name)
}

/**
 * Signs in to an account.
 *
 * @param password of an account that {@link signUp} hasn't made
 * @returns its token
 */
export async function signIn(
  { url }: Octavo,
  post: MailServer,
  name = 'night',
  password = ownPassword,
): Promise<string> {
  const email = `${name}@example.org`
  const { otpId, mfaId } = await requestCode(url, email, password)
  const { text } = await post.nextMail(email)
  const code = /\b\d{6}\b/.exec(text ?? '')?.[0] ?? ''
  return (await new PocketBase(url).collection('users').authWithOTP(otpId, code, { mfaId })).token
}

/** The first step of signing in; a code is mailed. @returns what the second step takes beside it */
export async function requestCode(
  url: string,
  email: string,
  password = ownPassword,
): Promise<{ otpId: string; mfaId: string }> {
  const users = new PocketBase(url).collection('users')
  const halfway: unknown = await users.authWithPassword(email, password).catch((error) => error)
  const { mfaId } = (halfway as ClientResponseError).response as { mfaId: string }
  const { otpId } = await users.requestOTP(email)
  return { otpId, mfaId }
}

export function signedIn({ url }: Octavo, token: string): PocketBase {
  const client = new PocketBase(url)
  client.autoCancellation(false)
  client.authStore.save(token)
  return client
}

/** @returns the account a client is signed in to, without a new token in place of the client's */
export function ownRecord(client: PocketBase): Promise<RecordModel> {
  const { id = '' } = decodeJwt<{ id?: string }>(client.authStore.token)
  return client.collection('users').getOne(id)
}

/** @returns the cookie that a browser has after signing in: pages are made for whom it names */
export async function cookieOf(octavo: Octavo, token: string): Promise<string> {
  const record = await ownRecord(signedIn(octavo, token))
  return `pb_auth=${encodeURIComponent(JSON.stringify({ token, record }))}`
}
