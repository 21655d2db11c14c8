import { ApiError, hasFields, invalidForm, withFields, type FieldErrors } from '../errors.ts'
import type { Collection } from '../schema/collection.ts'
import { requirePasswords } from '../schema/auth-options.ts'
import { lockRow } from '../write/rows.ts'
import { save } from '../write/save.ts'
import { transact } from '../write/transaction.ts'
import { passwordErrors } from '../write/account.ts'
import { findAccount } from './account.ts'
import { makeLink, verifyLink, sendLink, consumeLink, type AccountDeps } from './mail-links.ts'
import { verifyEmail } from './verification.ts'
import { deleteGivenAccess, deleteWaysIn } from './ways-in.ts'

/** Mails a link to set a new password, if the account exists. */
export async function requestPasswordReset(
  deps: AccountDeps,
  collection: Collection,
  email: string,
): Promise<void> {
  await transact(deps.core, async (tx) => {
    const account = await findAccount(tx, collection, email)
    if (account) await sendLink(tx, deps, collection, account, 'passwordReset')
  })
}

/**
 * Creates a password reset token without mailing it, so using it doesn't verify the address.
 *
 * @throws ApiError 404 if there is no such account, 400 if accounts have no passwords
 */
export async function passwordResetToken(
  { core, secret }: Pick<AccountDeps, 'core' | 'secret'>,
  collection: Collection,
  id: string,
): Promise<{ token: string; expires: Date }> {
  requirePasswords(collection)
  return transact(core, async (tx) => {
    const account = await lockRow(tx, collection, id, 'update')
    if (!account) throw new ApiError(404)
    const more = { isMailed: false }
    const kind = 'passwordReset'
    const { token, expires } = await makeLink(tx, { secret }, collection, account, kind, more)
    return { token, expires }
  })
}

/**
 * Sets a new password, which ends every session. It doesn't sign in, and the next sign-in still
 * asks for a code.
 *
 * @param found errors already found in the form
 * @throws ApiError 400 with the errors of `token`, `password` and `passwordConfirm`
 */
export async function confirmPasswordReset(
  deps: AccountDeps,
  collection: Collection,
  form: { token: string; password: string; passwordConfirm: string },
  found: FieldErrors,
): Promise<void> {
  const wrong = { ...passwordErrors(collection, form), ...found }
  const link = await verifyLink(deps, collection, 'passwordReset', form.token).catch((error) => {
    throw withFields(error, wrong)
  })
  if (hasFields(wrong)) throw invalidForm(wrong)
  // Hashing is slow and must not keep a transaction open.
  const password = await deps.core.passwords.hash(form.password)
  await transact(deps.core, async (tx) => {
    const account = await consumeLink(tx, link)
    if (link.isMailed) await verifyEmail(tx, collection, account, { password })
    else {
      if (!account['verified']) {
        await deleteWaysIn(tx, account.id)
        await deleteGivenAccess(tx, collection, account.id)
      }
      const after = { ...account, password }
      await save(tx, { action: 'update', collection, before: account, after, request: null })
    }
  })
}
