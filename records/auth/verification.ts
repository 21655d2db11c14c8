import type { Collection } from '../schema/collection.ts'
import type { StoredRecord } from '../schema/values.ts'
import { save } from '../write/save.ts'
import { transact } from '../write/transaction.ts'
import type { WriteContext } from '../write/context.ts'
import { findAccount } from './account.ts'
import { deleteGivenAccess, deleteWaysIn } from './ways-in.ts'
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
 * Marks the account's address as verified, after its owner has read a mail sent to it. Providers
 * and passkeys that someone else may have added before that are removed. If there were any, or the
 * password changes too, every session ends, and what gives access of its own is deleted.
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
  const hadWaysIn = !account['verified'] && (await deleteWaysIn(tx, account.id))
  if (hadWaysIn) after['tokenKey'] = ''
  const isNewlyOwned = hadWaysIn || (!account['verified'] && 'password' in values)
  if (isNewlyOwned) await deleteGivenAccess(tx, collection, account.id)
  return save(tx, { action: 'update', collection, before: account, after, request: null })
}
