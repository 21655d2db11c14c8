import { setImmediate } from 'node:timers/promises'
import { sql, type RawBuilder } from 'kysely'
import type { LibraryTransaction } from '#server/collections/stored.ts'
import { modify, query } from '#server/storage/query.ts'

/** Rows written at a time, so that other requests get their turn. */
const batchSize = 250

/**
 * Updates the rows of a table that match a condition, a few at a time: a book may have thousands of
 * readings and quotes.
 *
 * @param update the statement for some of the rows, whose ids its condition has to match
 */
export async function updateRows(
  tx: LibraryTransaction,
  table: string,
  where: RawBuilder<unknown>,
  update: (some: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<void> {
  const write = (some: RawBuilder<unknown>) =>
    modify(tx, table, sql`${update(sql`id IN (${some})`)} RETURNING id`)
  const matching = sql`SELECT id FROM ${sql.table(table)} WHERE ${where}`
  const first = await write(sql`${matching} LIMIT ${sql.lit(batchSize)}`)
  if (first.length < batchSize) return
  const done = new Set(first.map(([id]) => id))
  const rest = (await query(tx, matching)).map(([id]) => id).filter((id) => !done.has(id))
  for (let at = 0; at < rest.length; at += batchSize) {
    await setImmediate()
    await write(sql.join(rest.slice(at, at + batchSize)))
  }
}
