import { sql } from 'kysely'
import type { Records, WriteTransaction } from '#records/index.ts'
import { query } from '#server/query.ts'

/**
 * Gives a reader an empty library: shelves with their books, and the whole timeline. All of it or
 * nothing. The account, its profile and its settings stay.
 */
export async function resetAccount(records: Pick<Records, 'write'>, user: string): Promise<void> {
  await records.write(async (tx) => {
    for (const collection of ['activities', 'user_books', 'bookshelves'])
      for (const id of await idsOf(tx, collection, user)) await tx.delete(collection, id)
  })
}

async function idsOf(tx: WriteTransaction, collection: string, user: string): Promise<string[]> {
  const rows = await query(
    tx,
    sql`SELECT id FROM ${sql.table(collection)} WHERE "user" = ${user} ORDER BY id`,
  )
  return rows.map(([id]) => String(id))
}
