import { sql } from 'kysely'
import { number, text } from '../../database/columns.ts'
import type { Transaction } from '../../database/database.ts'
import { modify, query } from '../../database/query.ts'
import type { Collection } from '../../schema/collection.ts'

/** Key for the rowid next to a deleted record's columns; no field can have this name. */
export const rowidKey = '@rowid'

/**
 * The rowids, which give the order of creation and are needed only on SQLite.
 *
 * @returns rowids by id; empty on PostgreSQL
 */
export async function rowidsOf(
  tx: Transaction,
  collection: Collection,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (tx.dialect.name !== 'sqlite') return new Map()
  const rows = await query(
    tx,
    sql`SELECT id, rowid FROM ${sql.table(collection.name)} WHERE id IN (${sql.join(ids)})`,
    { id: text, rowid: number },
  )
  return new Map(rows.map(({ id, rowid }) => [id, rowid]))
}

/** Gives a row its old rowid, unless a newer row has it. */
export async function restoreRowid(
  tx: Transaction,
  collection: Collection,
  id: string,
  rowid: number,
): Promise<void> {
  if (tx.dialect.name !== 'sqlite') return
  const table = sql.table(collection.name)
  await modify(
    tx,
    collection.name,
    sql`UPDATE ${table} SET rowid = ${rowid} WHERE id = ${id}
      AND NOT EXISTS (SELECT 1 FROM ${table} AS other WHERE other.rowid = ${rowid})`,
  )
}
