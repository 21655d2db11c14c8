import type { Collection } from '../schema/collection.ts'
import type { StoredRecord } from '../schema/values.ts'
import { save } from '../write/save.ts'
import { transact } from '../write/transaction.ts'
import type { WriteContext } from '../write/context.ts'
import { findAccount } from './account.ts'
import { deleteWaysIn } from './passkeys.ts'
import { verifyLink, sendLink, consumeLink, type AccountDeps } from './mail-links.ts'

/** Mails a link to verify the address, if its account exists and isn't verified. */
export async function requestVerification(
  deps: AccountDeps,
  collection: Collection,
  email: string,
): Promise<void> {
  await transact(deps.core, async (tx) => {
    const account = await findAccount(tx, collection, email)
    if (account && !account['verified'])
      await sendLink(tx, deps, collection, account, 'verification')
  })
}

/** @throws ApiError 400 with the error of `token` */
export async function confirmVerification(
  deps: AccountDeps,
  collection: Collection,
  token: string,
): Promise<void> {
  const link = await verifyLink(deps, collection, 'verification', token)
  await transact(deps.core, async (tx) => {
    const account = await consumeLink(tx, link)
    await verifyEmail(tx, collection, account)
  })
}

/**
 * Marks the account's address as verified, after its owner has read a mail sent to it. Provider
 * accounts that someone else may have linked before that are removed.
 *
 * @param account locked by this transaction
 * @param values other changes to the account, as stored
 */
export async function verifyEmail(
  tx: WriteContext,
  collection: Collection,
  account: StoredRecord,
  values: Readonly<Record<string, unknown>> = {},
): Promise<StoredRecord> {
  const after: StoredRecord = { ...account, ...values, verified: true }
  // Saving an empty key creates a new one, which ends every session and invalidates every token.
  if (!account['verified'] && (await deleteWaysIn(tx, account.id))) after['tokenKey'] = ''
  return save(tx, { action: 'update', collection, before: account, after, request: null })
}
