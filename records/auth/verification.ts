import type { Collection } from '../schema/collection.ts'
import type { StoredRecord } from '../schema/values.ts'
import { save } from '../write/save.ts'
import { transact } from '../write/transaction.ts'
import type { WriteContext } from '../write/context.ts'
import { findAccount } from './account.ts'
import { deleteExternalAuths } from './external-auths.ts'
import { verifyLink, sendLink, consumeLink, type AccountDeps } from './mail-links.ts'

/** Mails a link that proves the address, if there is an account that needs one. */
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
 * Whoever asks has just read a mail to the account's address. What somebody else may have tied to
 * the account before anyone proved to own the address does not survive it.
 *
 * @param account locked by this transaction
 * @param values what changes along with it, as it is stored
 */
export async function verifyEmail(
  tx: WriteContext,
  collection: Collection,
  account: StoredRecord,
  values: Readonly<Record<string, unknown>> = {},
): Promise<StoredRecord> {
  const after: StoredRecord = { ...account, ...values, verified: true }
  // Without a key it gets a new one, and every token and session of the old one is dead.
  if (!account['verified'] && (await deleteExternalAuths(tx, account.id))) after['tokenKey'] = ''
  return save(tx, { action: 'update', collection, before: account, after, request: null })
}
