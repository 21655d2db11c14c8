import type { QueryClient } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import { removeInactiveQueries, sessionQuery, type Session } from './session.ts'
import { fetchData } from './fetch-data.ts'

/** The step between the password and the code. */
export interface SecondStep {
  email: string
  password: string
  mfaId: string
  otpId: string
}

/**
 * The first step of signing in: the password, then a code is mailed, in place of one before.
 *
 * @returns null if that was all: this browser is trusted, or this site mails no codes
 * @throws a ClientResponseError when the password is wrong, or codes were sent too often
 */
export async function signIn(
  api: PocketBase,
  { email, password }: { email: string; password: string },
): Promise<SecondStep | null> {
  const users = api.collection('users')
  const { mfaId }: { token: string; mfaId?: unknown } = await users.authWithPassword(
    email,
    password,
  )
  if (typeof mfaId !== 'string') return null
  const { otpId } = await users.requestOTP(email, { mfaId })
  return { email, password, mfaId, otpId }
}

/**
 * The second step: the mailed code. The session is then in the cookie.
 *
 * @param trustDevice whether this browser is asked for no code from now on
 */
export async function confirmCode(
  api: PocketBase,
  { otpId, mfaId }: SecondStep,
  { code, trustDevice }: { code: string; trustDevice: boolean },
): Promise<void> {
  const body = { otpId, password: code, trustDevice }
  await api.collection('users').authWithOTP(otpId, code, { mfaId, body })
}

/** Creates an account. Signing in is a separate step, so that it can be retried. */
export async function createAccount(
  api: PocketBase,
  {
    email,
    password,
    invitation,
  }: { email: string; password: string; invitation?: string | undefined },
): Promise<void> {
  const form = { email, password, passwordConfirm: password }
  await api.collection('users').create({ ...form, ...(invitation && { invitation }) })
}

/** @returns whether the code is waiting for a mail server that does not take it */
export async function readMailIsLate(api: PocketBase, { mfaId }: SecondStep): Promise<boolean> {
  const call = { method: 'POST', body: { mfaId } }
  return (await fetchData<{ isLate: boolean }>(api, '/api/v1/auth/mail', call)).isLate
}

/** After signing in: who it is, and nothing of what was fetched as a visitor. */
export async function completeSignIn(
  api: PocketBase,
  queries: QueryClient,
): Promise<Session | null> {
  const session = await queries.query({ ...sessionQuery(api), staleTime: 0 })
  removeInactiveQueries(queries)
  return session
}
