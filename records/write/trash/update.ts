import { sql } from 'kysely'
import type { Transaction } from '../../database/database.ts'
import { modify, query } from '../../database/query.ts'
import type { Collection } from '../../schema/collection.ts'
import { toTrashedNode } from './find.ts'
import { toData } from './move-to-trash.ts'

/**
 * Changes an account's deleted records, which will be restored with the new values. Dependants
 * deleted with them stay as they are.
 *
 * @param match values by field; only records with these values are changed
 */
export async function updateTrash(
  tx: Transaction,
  account: string,
  collection: Collection,
  match: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  const lock = tx.dialect.name === 'postgres' ? sql` FOR UPDATE` : sql``
  const rows = await query(
    tx,
    sql`SELECT r.removal, r.data FROM _removals m
      JOIN "_removedRecords" r ON r.removal = m.id AND r.place = 0
      WHERE m.account = ${account} AND m.collection = ${collection.id}${lock}`,
  )
  for (const [removal, stored] of rows) {
    const node = toTrashedNode(collection, String(stored))
    if (Object.entries(match).some(([name, value]) => node.record[name] !== value)) continue
    const data = toData({ ...node, record: { ...node.record, ...values } })
    await modify(
      tx,
      '_removedRecords',
      sql`UPDATE "_removedRecords" SET data = ${data} WHERE removal = ${removal} AND place = 0`,
    )
  }
}
