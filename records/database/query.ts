import type { RawBuilder } from 'kysely'
import type { Db, Row, Statement, Transaction } from './database.ts'
import { bind, type Value } from './placeholder.ts'

/** Compiles a fragment without placeholders for the connection's database and runs it. */
export function query(db: Db, fragment: RawBuilder<unknown>): Promise<Row[]> {
  const { sql, parameters } = db.dialect.compile(fragment)
  return db.query(sql, parameters as Value[])
}

/**
 * Runs a fragment that writes to one table. Clears the transaction's cache of that table's rows.
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
  return query(tx, fragment)
}

/** {@link modify} with a compiled statement and the input of its placeholders. */
export function modifyWith<Input>(
  tx: Transaction,
  table: string,
  { sql, parameters }: Statement,
  input: Input,
): Promise<Row[]> {
  tx.modifying?.(table)
  return tx.query(sql, bind(parameters, input))
}
