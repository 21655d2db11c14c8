import { ApiError, storedEmail } from '#records/index.ts'
import type { LibraryRecords } from '#server/collections/stored.ts'
import { changeEmailForm, loginForm } from '#shared/account-forms.ts'
import { ruleInEnglish } from '#shared/english.ts'
import { refusalOf } from '#shared/rule.ts'
import type { Reader } from './find.ts'

/**
 * Deletes an account and everything in it, as its reader could; the account's open pages are
 * notified.
 */
export async function deleteReader(records: LibraryRecords, { id }: Reader): Promise<void> {
  await records.write((tx) => tx.delete('users', id))
}

/** @returns the link to set a new password, as it would be mailed */
export async function resetLink(
  records: LibraryRecords,
  { id }: Reader,
  appUrl: string,
): Promise<{ link: string; expires: Date }> {
  const { token, expires } = await records.passwordResetToken('users', id)
  return { link: `${appUrl}/auth/reset-password?token=${encodeURIComponent(token)}`, expires }
}

/** @returns the password @throws if it is too short or too long */
export function typedPassword(password: string): string {
  const { error } = loginForm.shape.password.safeParse(password)
  const [issue] = error?.issues ?? []
  if (issue) throw new Error(ruleInEnglish(refusalOf(issue, 'password')))
  return password
}

/**
 * Creates an account, whatever SIGN_UPS says. Its email counts as unconfirmed.
 *
 * @param reader the password must have passed {@link typedPassword}
 * @returns the username and the email as stored
 * @throws if the username or email is invalid, or another reader's
 */
export async function createReader(
  records: LibraryRecords,
  reader: { username: string; email: string; name: string; password: string },
): Promise<{ username: string; email: string }> {
  try {
    const made = await records.write((tx) => tx.create('users', reader))
    return { username: made.username, email: made.email }
  } catch (failure) {
    throw failure instanceof ApiError
      ? new Error(refusal(failure, reader), { cause: failure })
      : failure
  }
}

/** @returns why a reader can't be stored, in words an operator can act on */
function refusal(
  { data, message }: ApiError,
  { username = '', email }: { username?: string; email: string },
): string {
  const isTaken = (field: string) => data[field]?.code === 'validation_not_unique'
  if (isTaken('email')) return `another reader signs in as ${email}`
  if (data['email']) return `${email} is not an email address`
  if (isTaken('username')) return `the username ${username} is taken`
  const [first] = Object.values(data).map((problem) => problem.message)
  return typeof first === 'string' ? first : message
}

/** Makes a reader an administrator of the site, or ends that. */
export async function setAdmin(
  records: LibraryRecords,
  { id }: Reader,
  isAdmin: boolean,
): Promise<void> {
  await records.write((tx) => tx.update('users', id, { isAdmin }))
}

/** Sets a new password, which ends all sessions and the trust in all devices. */
export async function setPassword(
  records: LibraryRecords,
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
  records: LibraryRecords,
  { id, username, email: before }: Reader,
  typed: string,
): Promise<string> {
  const { data } = changeEmailForm.safeParse({ email: typed })
  if (!data) throw new Error(`${typed} is not an email address`)
  const { email } = data
  if (storedEmail(email) === before) throw new Error(`${username} already signs in as ${before}`)
  try {
    const changed = await records.write((tx) => tx.update('users', id, { email, verified: false }))
    return changed.email
  } catch (failure) {
    if (!(failure instanceof ApiError && failure.data['email'])) throw failure
    throw new Error(refusal(failure, { email }), { cause: failure })
  }
}

/** Signs a reader out everywhere and ends the trust in all devices. */
export async function signOut(records: LibraryRecords, { id }: Reader): Promise<void> {
  await records.endSessions(id)
}
