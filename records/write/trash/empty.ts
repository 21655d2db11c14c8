import { setImmediate } from 'node:timers/promises'
import { sql, type RawBuilder } from 'kysely'
import type { Core } from '../core.ts'
import type { Transaction } from '../../database/database.ts'
import { modify, query } from '../../database/query.ts'
import { ApiError } from '../../errors.ts'
import { deleteFileRows } from '../../files/table.ts'
import type { Collection } from '../../schema/collection.ts'
import type { WriteContext } from '../context.ts'

/** Deletes an entry of the trash that was restored, or whose files are being deleted for good. */
export async function deleteTrashEntry(tx: Transaction, removal: string): Promise<void> {
  for (const table of ['_removedLinks', '_removedRecords']) {
    await modify(tx, table, sql`DELETE FROM ${sql.table(table)} WHERE removal = ${removal}`)
    // SQLite calls are synchronous: let other requests run.
    await setImmediate()
  }
  await modify(tx, '_removals', sql`DELETE FROM _removals WHERE id = ${removal}`)
}

/**
 * Permanently deletes an account's trash.
 *
 * @param one only this record's deletion; by default all
 * @throws ApiError 404 if the account deleted no such record
 */
export async function emptyTrash(
  tx: WriteContext,
  account: string,
  one?: { collection: Collection; id: string },
): Promise<void> {
  if (!keepsAny(tx.core)) return
  const only = one ? sql` AND collection = ${one.collection.id} AND record = ${one.id}` : sql``
  const ended = await emptyTrashEntries(tx, sql`account = ${account}${only}`)
  if (one && !ended) throw new ApiError(404)
}

function keepsAny({ schema }: Core): boolean {
  return schema.collections.some((collection) => collection.trashLife)
}

/**
 * Permanently deletes entries of the trash with their files.
 *
 * @param limit only this many, the oldest first; by default all
 * @returns the number of entries deleted
 */
export async function emptyTrashEntries(
  tx: WriteContext,
  where: RawBuilder<unknown>,
  limit?: number,
): Promise<number> {
  const lock = tx.dialect.name === 'postgres' ? sql` FOR UPDATE` : sql``
  const few = limit ? sql` ORDER BY removed LIMIT ${sql.lit(limit)}` : sql``
  const rows = await query(tx, sql`SELECT id FROM _removals WHERE ${where}${few}${lock}`)
  for (const [id] of rows) {
    await dropItsFiles(tx, String(id))
    await deleteTrashEntry(tx, String(id))
  }
  return rows.length
}

/** Deletes an entry's files. Only its records that have any are read. */
async function dropItsFiles(tx: WriteContext, removal: string): Promise<void> {
  const { files } = tx.core
  if (!files) return
  const rows = await query(
    tx,
    sql`SELECT f.collection, f.record, f.name FROM "_removedRecords" r
      JOIN _files f ON f.collection = r.collection AND f.record = r.record
      WHERE r.removal = ${removal}`,
  )
  for (const [collection, record, name] of rows.map((row) => row.map(String))) {
    await deleteFileRows(tx, collection!, record!, [name!])
    tx.afterCommit(() => files.remove(collection!, record!, [name!]))
  }
}
