import { ApiError, type Records } from '#records/index.ts'
import { changeEmailForm, loginForm } from '#shared/account-forms.ts'
import type { Reader } from './find.ts'

/**
 * Deletes an account and everything in it, as its reader could; the account's open pages are
 * notified.
 */
export async function deleteReader(records: Records, { id }: Reader): Promise<void> {
  await records.write((tx) => tx.delete('users', id))
}

/** @returns the link to set a new password, as it would be mailed */
export async function resetLink(
  records: Records,
  { id }: Reader,
  appUrl: string,
): Promise<{ link: string; expires: Date }> {
  const { token, expires } = await records.passwordResetToken('users', id)
  return { link: `${appUrl}/auth/reset-password?token=${encodeURIComponent(token)}`, expires }
}

/** @returns the password @throws if it is too short or too long */
export function typedPassword(password: string): string {
  const { error } = loginForm.shape.password.safeParse(password)
  if (error) throw new Error(error.issues[0]?.message)
  return password
}

/** Sets a new password, which ends all sessions and the trust in all devices. */
export async function setPassword(
  records: Records,
  { id }: Reader,
  password: string,
): Promise<void> {
  await records.write((tx) => tx.update('users', id, { password }))
}

/**
 * Changes an account's email, which ends all sessions. The new email is unconfirmed.
 *
 * @returns the email as stored
 * @throws if it is invalid, unchanged, or another reader's
 */
export async function changeEmail(
  records: Records,
  { id, username, email: before }: Reader,
  email: string,
): Promise<string> {
  const { error } = changeEmailForm.safeParse({ email })
  if (error) throw new Error(`${email} is not an email address`)
  if (email.toLowerCase() === before) throw new Error(`${username} already signs in as ${before}`)
  try {
    const changed = await records.write((tx) => tx.update('users', id, { email, verified: false }))
    return String(changed['email'])
  } catch (failure) {
    const refused = failure instanceof ApiError ? failure.data['email'] : undefined
    if (!refused) throw failure
    const isTaken = refused.code === 'validation_not_unique'
    throw new Error(
      isTaken ? `another reader signs in as ${email}` : `${email} is not an email address`,
      { cause: failure },
    )
  }
}

/** Signs a reader out everywhere and ends the trust in all devices. */
export async function signOut(records: Records, { id }: Reader): Promise<void> {
  await records.endSessions(id)
}
