import { sql } from 'kysely'
import { query } from '../database/query.ts'
import type { Collection } from '../schema/collection.ts'
import { ownerField } from '../schema/field.ts'
import type { WriteContext } from '../write/context.ts'
import { deleteRecord } from '../write/delete.ts'
import { lockRow } from '../write/rows.ts'
import { deleteExternalAuths } from './external-auths.ts'
import { deletePasskeys } from './passkeys.ts'

/**
 * Removes the providers and passkeys of an account, which someone else may have added before its
 * owner proved the address.
 *
 * @returns whether there were any
 */
export async function deleteWaysIn(tx: WriteContext, record: string): Promise<boolean> {
  const hadProviders = await deleteExternalAuths(tx, record)
  const hadPasskeys = await deletePasskeys(tx, record)
  return hadProviders || hadPasskeys
}

/**
 * Deletes what an account has that gives access of its own, such as its API tokens: the records of
 * collections that are `sessionOnly`. For an account whose sessions end because its owner has proved
 * the address; someone else may have made them.
 */
export async function deleteGivenAccess(
  tx: WriteContext,
  accounts: Collection,
  account: string,
): Promise<void> {
  for (const collection of tx.core.schema.collections) {
    const owner = collection.sessionOnly && ownerField(collection.fields)
    if (!owner || owner.collection !== accounts.name) continue
    const rows = await query(
      tx,
      sql`SELECT id FROM ${sql.table(collection.name)} WHERE ${sql.ref(owner.name)} = ${account} ORDER BY id`,
    )
    for (const [id] of rows) {
      const record = await lockRow(tx, collection, String(id), 'update')
      if (record) await deleteRecord(tx, collection, record, null)
    }
  }
}
