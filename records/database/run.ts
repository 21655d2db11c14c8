import type { RawBuilder } from 'kysely'
import type { Connection, Dialect, Row } from './database.ts'
import type { Value } from './slot.ts'

/** Compiles a fragment without slots for the connection's database and runs it. */
export function run(
  connection: Connection & { dialect: Dialect },
  fragment: RawBuilder<unknown>,
): Promise<Row[]> {
  const { sql, parameters } = connection.dialect.compile(fragment)
  return connection.query(sql, parameters as Value[])
}
