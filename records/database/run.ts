import type { RawBuilder } from 'kysely'
import type { Db, Row } from './database.ts'
import type { Value } from './slot.ts'

/** Compiles a fragment without slots for the connection's database and runs it. */
export function run(db: Db, fragment: RawBuilder<unknown>): Promise<Row[]> {
  const { sql, parameters } = db.dialect.compile(fragment)
  return db.query(sql, parameters as Value[])
}
