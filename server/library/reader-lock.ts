import { sql } from 'kysely'
import type { WriteTransaction } from '#records/index.ts'
import { query } from '#server/query.ts'

/**
 * Makes the writes of one reader's library wait for each other until the transaction ends, so that
 * what is counted and compared (shelves of a plan, copies on a shelf, covers, the last activity)
 * cannot change underneath. SQLite has one writer anyway.
 */
export async function lockReader(tx: WriteTransaction, user: unknown): Promise<void> {
  if (tx.dialect.name === 'sqlite') return
  await query(tx, sql`SELECT 1 FROM users WHERE id = ${user} FOR NO KEY UPDATE`)
}
