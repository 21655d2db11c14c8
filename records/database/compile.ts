import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Dialect as KyselyDialect,
  type RawBuilder,
} from 'kysely'
import type { Dialect, Statement } from './database.ts'

const dialects: Record<Dialect['name'], KyselyDialect> = {
  sqlite: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
  postgres: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
}

/** Uses Kysely only to compile statements. The connections in this folder run them. */
export function compiler(name: Dialect['name']): Dialect['compile'] {
  const kysely = new Kysely<unknown>({ dialect: dialects[name] })
  return (fragment: RawBuilder<unknown>): Statement => {
    const { sql, parameters } = fragment.compile(kysely)
    return { sql, parameters }
  }
}
