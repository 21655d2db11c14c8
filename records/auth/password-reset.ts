import type { Collection } from '../schema/collection.ts'
import { write } from '../transaction.ts'
import { findAccount, typedPassword } from './account.ts'
import { readLink, sendLink, spendLink, type AccountDeps } from './mail-links.ts'
import { hashPassword } from './password.ts'
import { proveAddress } from './verification.ts'

/** Mails a link to set a new password, if there is such an account. */
export async function requestPasswordReset(
  deps: AccountDeps,
  collection: Collection,
  email: string,
): Promise<void> {
  await write(deps.core, async (tx) => {
    const account = await findAccount(tx, collection, email)
    if (account) await sendLink(tx, deps, collection, account, 'passwordReset')
  })
}

/**
 * Sets a new password, which ends every session. It signs nobody in, and the second step of the
 * next sign-in is asked for as ever.
 *
 * @throws ApiError 400 with the errors of `token`, `password` and `passwordConfirm`
 */
export async function confirmPasswordReset(
  deps: AccountDeps,
  collection: Collection,
  form: { token: string; password: string; passwordConfirm: string },
): Promise<void> {
  const link = await readLink(deps, collection, 'passwordReset', form.token)
  typedPassword(collection, form)
  // Hashing takes its time and must not hold a transaction open.
  const password = await hashPassword(form.password)
  await write(deps.core, async (tx) => {
    const account = await spendLink(tx, link)
    await proveAddress(tx, collection, account, { password })
  })
}
