import type { Viewer } from '../filter/request.ts'
import { ApiError, hasFields, invalidForm, withFields, type FieldErrors } from '../errors.ts'
import { passwordAttempts } from '../limits/attempts.ts'
import { lockRow } from '../write/rows.ts'
import { coerce } from '../schema/coerce.ts'
import type { Collection } from '../schema/collection.ts'
import { transact } from '../write/transaction.ts'
import { emailField, findAccount } from './account.ts'
import {
  verifyLink,
  refusedToken,
  sendLink,
  consumeLink,
  countLinkAttempt,
  type AccountDeps,
  type Link,
} from './mail-links.ts'
import { verifyEmail } from './verification.ts'

/**
 * Mails a link to the new address, unless that address is taken. The response is the same either
 * way.
 *
 * @throws ApiError 400 if the account already has this address
 */
export function requestEmailChange(
  deps: AccountDeps,
  collection: Collection,
  viewer: Viewer,
  typed: string,
): void {
  const newEmail = String(coerce(emailField(collection), typed))
  if (newEmail === viewer.record['email'])
    throw invalidForm({
      newEmail: { code: 'validation_not_in_invalid', message: 'Must not be in list.' },
    })
  const sending = transact(deps.core, async (tx) => {
    if (await findAccount(tx, collection, newEmail)) return
    const account = await lockRow(tx, collection, viewer.id, 'update')
    if (account) await sendLink(tx, deps, collection, account, 'emailChange', newEmail)
  })
  deps.background(sending)
}

/**
 * Changes the account's email, which ends every session. The old address gets a mail about it.
 *
 * @param found errors already found in the form
 * @param password the account's password. A link allows five wrong ones, and each counts towards
 *   the rate limit of sign-ins, since whoever holds a session can request one link after another
 * @param network where the request comes from
 * @throws ApiError 400 with the error of `token` or `password`, 429 after too many wrong passwords
 */
export async function confirmEmailChange(
  deps: AccountDeps,
  collection: Collection,
  { token, password, found }: { token: string; password: string; found: FieldErrors },
  network: string,
): Promise<void> {
  const link = await verifyLink(deps, collection, 'emailChange', token).catch((error) => {
    throw withFields(error, { password: wrongPassword, ...found })
  })
  if (hasFields(found)) throw invalidForm(found)
  const attempts = passwordAttempts(network, String(link.account['email']))
  await deps.core.limits.attempt(attempts, () => provePassword(deps, link, password))
  const { newEmail } = link
  const work = transact(deps.core, async (tx) => {
    const account = await consumeLink(tx, link)
    const record = await verifyEmail(tx, collection, account, { email: newEmail })
    const to = String(account['email'])
    tx.afterCommit(() =>
      deps.mail({ kind: 'emailChanged', to, collection: collection.name, record, newEmail }),
    )
  })
  await work.catch((error: unknown) => {
    // The address has been taken in the meantime, or the application refuses it.
    if (!(error instanceof ApiError && 'email' in error.data)) throw error
    const message = 'The new email address is invalid.'
    throw refusedToken({ code: 'validation_invalid_token_email', message }, error)
  })
}

const wrongPassword = {
  code: 'validation_invalid_password',
  message: 'Missing or invalid auth record password.',
}

/** @throws ApiError 400 for a wrong password, or after too many wrong ones for this link */
async function provePassword(deps: AccountDeps, link: Link, password: string): Promise<void> {
  await countLinkAttempt(deps, link)
  if (await deps.core.passwords.verify(String(link.account['password']), password)) return
  throw invalidForm({ password: wrongPassword })
}
