import PocketBase, { type ClientResponseError } from 'pocketbase'
import type { Octavo } from '#tests/octavo.ts'
import type { openPostOffice } from '#tests/smtp.ts'

const email = 'night@example.org'
const password = 'burning the midnight oil'

type PostOffice = Awaited<ReturnType<typeof openPostOffice>>

/** @returns the token of a new account */
export async function signUp({ url }: Octavo, post: PostOffice): Promise<string> {
  const users = new PocketBase(url).collection('users')
  await users.create({ email, password, passwordConfirm: password })
  const halfway: unknown = await users.authWithPassword(email, password).catch((error) => error)
  const { mfaId } = (halfway as ClientResponseError).response as { mfaId: string }
  const { otpId } = await users.requestOTP(email)
  const { text } = await post.nextMail(email)
  const code = /\b\d{6}\b/.exec(text ?? '')?.[0] ?? ''
  return (await users.authWithOTP(otpId, code, { mfaId })).token
}

export function signedIn({ url }: Octavo, token: string): PocketBase {
  const client = new PocketBase(url)
  client.autoCancellation(false)
  client.authStore.save(token)
  return client
}
