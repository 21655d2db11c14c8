import { sql } from 'kysely'
import type { Transaction } from './database.ts'
import { query } from './query.ts'

/**
 * On PostgreSQL, cancels any later statement of the transaction that takes longer. Does nothing on
 * SQLite, which runs statements synchronously.
 */
export async function setStatementTimeout(tx: Transaction, milliseconds: number): Promise<void> {
  if (tx.dialect.name !== 'postgres') return
  await query(tx, sql`SELECT set_config('statement_timeout', ${String(milliseconds)}, true)`)
}

/** @returns whether the error is PostgreSQL's statement timeout */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '57014'
}
