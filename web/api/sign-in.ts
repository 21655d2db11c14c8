import type { QueryClient } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import { otp, secondStepLife } from '#shared/account.ts'
import { t } from '#web/i18n/entry.ts'
import { ScreenError } from './errors.ts'
import { removeInactiveQueries, sessionQuery, type Session } from './session.ts'
import { fetchData } from './fetch-data.ts'

/** The step between the password and the code. */
export interface SecondStep {
  email: string
  /** Never stored: a step that outlives a reload is without it. */
  password?: string | undefined
  mfaId: string
  otpId: string
  /** When the code expires, in milliseconds; later if its mail is late. */
  codeEnds: number
  /** When the password must be entered again, in milliseconds. */
  ends: number
}

/** The hidden fields of the form for the code. They never include the password. */
export const stepFields = ['email', 'mfaId', 'otpId', 'codeEnds', 'ends'] as const

/** @returns the fields of a form for the code, as text */
export function fieldsOfStep(step: SecondStep): Record<(typeof stepFields)[number], string> {
  const { email, mfaId, otpId, codeEnds, ends } = step
  return { email, mfaId, otpId, codeEnds: String(codeEnds), ends: String(ends) }
}

/** @returns the step of a form for the code; null if the fields are of another form */
export function stepOf(fields: Readonly<Record<string, string>> = {}): SecondStep | null {
  const { email = '', mfaId = '', otpId = '', codeEnds, ends } = fields
  return otpId ? { email, mfaId, otpId, codeEnds: Number(codeEnds), ends: Number(ends) } : null
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
  const ends = Date.now() + secondStepLife * 1000
  return requestCode(api, { email, password, mfaId, ends })
}

/**
 * Has another code mailed, in place of the one before.
 *
 * @returns null if none is needed any more
 * @throws a ClientResponseError when codes were sent too often
 */
export function resendCode(api: PocketBase, step: SecondStep): Promise<SecondStep | null> {
  const { email, password } = step
  return password === undefined ? requestCode(api, step) : signIn(api, { email, password })
}

async function requestCode(
  api: PocketBase,
  step: Omit<SecondStep, 'otpId' | 'codeEnds'>,
): Promise<SecondStep> {
  const { email, mfaId } = step
  const { otpId } = await api.collection('users').requestOTP(email, { mfaId })
  return { ...step, otpId, codeEnds: Date.now() + otp.life * 1000 }
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

/**
 * After signing in: who it is, and nothing of what was fetched as a visitor.
 *
 * @throws ScreenError if the browser hasn't kept the session's cookie
 */
export async function completeSignIn(api: PocketBase, queries: QueryClient): Promise<Session> {
  const session = await queries.query({ ...sessionQuery(api), staleTime: 0 })
  if (!session) throw new ScreenError(t('cookiesRefused'))
  removeInactiveQueries(queries)
  return session
}
