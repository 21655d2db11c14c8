import { sql } from 'kysely'
import type { Transaction } from './database.ts'
import { query } from './query.ts'

/**
 * On PostgreSQL: from here on a statement of the transaction that takes longer is cancelled. On
 * SQLite nothing can be, as it answers without leaving the processor to anybody else.
 */
export async function setStatementTimeout(tx: Transaction, milliseconds: number): Promise<void> {
  if (tx.dialect.name !== 'postgres') return
  await query(tx, sql`SELECT set_config('statement_timeout', ${String(milliseconds)}, true)`)
}

/** @returns whether the error is PostgreSQL's word for a statement that took too long */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '57014'
}
