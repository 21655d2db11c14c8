import type { RawBuilder } from 'kysely'
import type { Db, Dialect, Row, Statement, Transaction } from './database.ts'
import { modifyWith } from './query.ts'
import { bind, placeholder, type Value } from './placeholder.ts'

/**
 * Makes the statement with a placeholder for each value. Everything else must be the same every
 * time.
 */
type Make<In> = (
  value: (name: keyof In & string) => RawBuilder<unknown>,
  dialect: Dialect,
) => RawBuilder<unknown>

/**
 * A read statement that is compiled once per database and bound to new values every time, as
 * compiling takes longer than most statements run.
 *
 * @returns a function that runs it with the values
 */
export function prepared<In extends object>(
  make: Make<In>,
): (db: Db, values: In) => Promise<Row[]> {
  const statementFor = once(make)
  return (db, values) => {
    const statement = statementFor(db.dialect)
    return db.query(statement.sql, bind(statement.parameters, values))
  }
}

/** {@link prepared} for a statement that writes to the named table. */
export function preparedWrite<In extends object>(
  table: string,
  make: Make<In>,
): (tx: Transaction, values: In) => Promise<Row[]> {
  const statementFor = once(make)
  return (tx, values) => modifyWith(tx, table, statementFor(tx.dialect), values)
}

function once<In extends object>(make: Make<In>): (dialect: Dialect) => Statement {
  const made = new Map<Dialect['name'], Statement>()
  return (dialect) =>
    made.getOrInsertComputed(dialect.name, () =>
      dialect.compile(make((name) => placeholder<In>((given) => given[name] as Value), dialect)),
    )
}
