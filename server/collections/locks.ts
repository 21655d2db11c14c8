import { sql } from 'kysely'
import { prepared } from '#records/index.ts'
import type { LibraryTransaction } from './stored.ts'
import { query } from '#server/storage/query.ts'

/**
 * Locks a reader until the transaction ends, for example so that shelves can't be added while they
 * are counted. SQLite has one writer at a time and needs no locks.
 */
export async function lockReader(tx: LibraryTransaction, user: unknown): Promise<void> {
  if (tx.dialect.name === 'sqlite') return
  await query(tx, sql`SELECT 1 FROM users WHERE id = ${user} FOR NO KEY UPDATE`)
}

/** Locks what is derived from a reader's books, so that concurrent writes are all counted. */
export async function lockTotals(tx: LibraryTransaction, user: unknown): Promise<void> {
  if (tx.dialect.name === 'postgres') await lockSettings(tx, { user })
}

const lockSettings = prepared<{ user: unknown }>(
  (value) => sql`SELECT 1 FROM settings WHERE "user" = ${value('user')} FOR NO KEY UPDATE`,
)
