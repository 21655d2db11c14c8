import { sql } from 'kysely'
import type { WriteTransaction } from '#records/index.ts'
import { query } from '#server/query.ts'

/**
 * Locks a reader until the transaction ends, for example so that shelves can't be added while they
 * are counted. SQLite has one writer at a time and needs no locks.
 */
export async function lockReader(tx: WriteTransaction, user: unknown): Promise<void> {
  if (tx.dialect.name === 'sqlite') return
  await query(tx, sql`SELECT 1 FROM users WHERE id = ${user} FOR NO KEY UPDATE`)
}
