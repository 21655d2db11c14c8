import type { RawBuilder } from 'kysely'
import type { Db, Dialect, Row, Statement } from './database.ts'
import { bind, slot, type Value } from './slot.ts'

/**
 * A statement that is put together once for each database and bound anew every time: putting it
 * together takes longer than most statements run.
 *
 * @param make gets what stands for each value; everything else must be the same every time
 * @returns runs it with the values
 */
export function prepared<In extends object>(
  make: (
    value: (name: keyof In & string) => RawBuilder<unknown>,
    dialect: Dialect,
  ) => RawBuilder<unknown>,
): (db: Db, values: In) => Promise<Row[]> {
  const made = new Map<Dialect['name'], Statement>()
  return (db, values) => {
    const { dialect } = db
    let statement = made.get(dialect.name)
    if (!statement) {
      const fragment = make((name) => slot<In>((given) => given[name] as Value), dialect)
      made.set(dialect.name, (statement = dialect.compile(fragment)))
    }
    return db.query(statement.sql, bind(statement.parameters, values))
  }
}
