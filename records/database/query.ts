import type { RawBuilder } from 'kysely'
import { named, type Columns, type NamedRow } from './columns.ts'
import type { Db, Row, Statement, Transaction } from './database.ts'
import { bind, type Value } from './placeholder.ts'

/**
 * Compiles a fragment without placeholders for the connection's database and runs it.
 *
 * @param columns names and decodes the rows' columns
 */
export function query(db: Db, fragment: RawBuilder<unknown>): Promise<Row[]>
export function query<C extends Columns>(
  db: Db,
  fragment: RawBuilder<unknown>,
  columns: C,
): Promise<NamedRow<C>[]>
export async function query(db: Db, fragment: RawBuilder<unknown>, columns?: Columns) {
  const { sql, parameters } = db.dialect.compile(fragment)
  const rows = await db.query(sql, parameters as Value[])
  return columns ? named(rows, columns) : rows
}

/**
 * Runs a fragment that writes to one table. Clears the transaction's cache of that table's rows.
 *
 * @param table the table's plain name
 * @param columns names and decodes the columns of its RETURNING clause
 * @returns the rows of its RETURNING clause
 */
export function modify(
  tx: Transaction,
  table: string,
  fragment: RawBuilder<unknown>,
): Promise<Row[]>
export function modify<C extends Columns>(
  tx: Transaction,
  table: string,
  fragment: RawBuilder<unknown>,
  columns: C,
): Promise<NamedRow<C>[]>
export function modify(
  tx: Transaction,
  table: string,
  fragment: RawBuilder<unknown>,
  columns?: Columns,
) {
  tx.modifying?.(table)
  return columns ? query(tx, fragment, columns) : query(tx, fragment)
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
