import type { RawBuilder } from 'kysely'
import { number, query, type Database, type Transaction } from '#records/index.ts'

/** Runs a fragment in the database's own dialect, with its values as parameters. */
export { modify, query } from '#records/index.ts'

/** @returns the only number that a statement selects, such as a count; 0 for NULL or no row */
export async function queryNumber(
  db: Database | Transaction,
  fragment: RawBuilder<unknown>,
): Promise<number> {
  const [row] = await query(db, fragment, { value: number })
  return row?.value ?? 0
}
