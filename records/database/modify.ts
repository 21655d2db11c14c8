import type { RawBuilder } from 'kysely'
import type { Row, Statement, Transaction } from './database.ts'
import { run } from './run.ts'
import { bind } from './slot.ts'

/**
 * Runs a fragment that writes to one table. The transaction forgets what it has read there.
 *
 * @param table the table's plain name
 * @returns the rows of its RETURNING clause
 */
export function modify(
  tx: Transaction,
  table: string,
  fragment: RawBuilder<unknown>,
): Promise<Row[]> {
  tx.modifying?.(table)
  return run(tx, fragment)
}

/** {@link modify} with a compiled statement and what its slots read from. */
export function modifyWith<Input>(
  tx: Transaction,
  table: string,
  { sql, parameters }: Statement,
  input: Input,
): Promise<Row[]> {
  tx.modifying?.(table)
  return tx.query(sql, bind(parameters, input))
}
