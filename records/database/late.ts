import { sql } from 'kysely'
import type { Transaction } from './database.ts'
import { run } from './run.ts'

/**
 * On PostgreSQL: from here on a statement of the transaction that takes longer is cancelled. On
 * SQLite nothing can be, as it answers without leaving the processor to anybody else.
 */
export async function limitStatements(tx: Transaction, milliseconds: number): Promise<void> {
  if (tx.dialect.name !== 'postgres') return
  await run(tx, sql`SELECT set_config('statement_timeout', ${String(milliseconds)}, true)`)
}

/** @returns whether the error is PostgreSQL's word for a statement that took too long */
export function isCancelled(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '57014'
}
