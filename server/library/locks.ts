import { sql } from 'kysely'
import type { WriteTransaction } from '#records/index.ts'
import { query } from '#server/query.ts'

// What is counted or compared (shelves of a plan, copies on a shelf, covers) must not change
// underneath. SQLite has one writer at a time and needs no locks.

/** Until the transaction ends, no other that locks this reader gets on. */
export async function lockReader(tx: WriteTransaction, user: unknown): Promise<void> {
  if (tx.dialect.name === 'sqlite') return
  await query(tx, sql`SELECT 1 FROM users WHERE id = ${user} FOR NO KEY UPDATE`)
}

/** The same for shelves, in one order for everybody, so that two moves cannot block each other. */
export async function lockShelves(tx: WriteTransaction, shelves: Iterable<string>): Promise<void> {
  if (tx.dialect.name === 'sqlite') return
  for (const id of [...new Set(shelves)].toSorted())
    await query(tx, sql`SELECT 1 FROM bookshelves WHERE id = ${id} FOR NO KEY UPDATE`)
}
