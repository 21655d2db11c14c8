import { sql } from 'kysely'
import type { Transaction } from '../database/database.ts'
import { modify, query } from '../database/query.ts'
import type { Collection } from '../schema/collection.ts'

/** Beside the columns of what was removed, under a name that no field can have. */
export const rowidKey = '@rowid'

/**
 * Where rows stand in the order they were made, which on SQLite alone is no column.
 *
 * @returns by id; nothing on PostgreSQL
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
  )
  return new Map(rows.map(([id, rowid]) => [String(id), Number(rowid)]))
}

/** Puts a row back where it stood, unless what was made since stands there. */
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
