import type { Database, Transaction } from '#records/database/database.ts'
import type { OnCleanup } from './cleanup.ts'

/** Tests that use a database before another is made, as prepared statements pile up in it. */
const mostTests = 40

/**
 * Databases with the same tables that tests use one after another: to empty one is many times faster
 * than to make one.
 *
 * @param make makes a database with its tables, to be removed by the clean-ups it registers
 * @returns a function that gives an empty one until the clean-up
 */
export function reuseDatabases(make: (onEnd: OnCleanup) => Promise<Database>) {
  const free: Kept[] = []
  return async (onCleanup: OnCleanup): Promise<Database> => {
    const kept = free.pop() ?? (await keep(make))
    const { database, end } = lend(kept.database)
    kept.tests++
    onCleanup(async () => {
      if ((await end()) && kept.tests < mostTests && (await isEmptied(kept))) free.push(kept)
      else for (const remove of kept.endings.toReversed()) await remove()
    })
    return database
  }
}

interface Kept {
  database: Database
  /** Tables that tests fill. */
  tables: string[]
  /** Changes with the tables, indexes and triggers. */
  shape: string
  tests: number
  endings: Parameters<OnCleanup>[0][]
}

const shapes = {
  sqlite: 'PRAGMA schema_version',
  postgres: `SELECT md5(string_agg(concat_ws(' ', relname, relkind, relnatts, relhastriggers), ',' ORDER BY oid))
    FROM pg_class WHERE relnamespace = 'public'::regnamespace`,
}
const tables = {
  sqlite: `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'`,
  postgres: `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
}

async function keep(make: (onEnd: OnCleanup) => Promise<Database>): Promise<Kept> {
  const endings: Kept['endings'] = []
  const database = await make((end) => void endings.push(end))
  const kept: Kept = { database, tables: [], shape: await shapeOf(database), tests: 0, endings }
  for (const [name] of await database.query(tables[database.dialect.name]))
    if (!(await database.query(`SELECT 1 FROM "${String(name)}" LIMIT 1`)).length)
      kept.tables.push(`"${String(name)}"`)
  return kept
}

async function shapeOf(database: Database): Promise<string> {
  return String((await database.query(shapes[database.dialect.name]))[0]?.[0])
}

/** @returns false if a test has changed more than rows */
async function isEmptied({ database, tables, shape }: Kept): Promise<boolean> {
  if ((await shapeOf(database)) !== shape) return false
  const empty = async (tx: Transaction) => {
    const isSqlite = tx.dialect.name === 'sqlite'
    const filled = isSqlite ? tables : await filledTables(tx, tables)
    if (isSqlite) for (const name of filled) await tx.query(`DELETE FROM ${name}`)
    else if (filled.length > 0) await tx.query(`TRUNCATE ${filled.join()}`)
  }
  await database.transaction(empty, { isDurable: false })
  return true
}

/** PostgreSQL takes milliseconds to empty a table. After a DELETE instead, new rows would fill the gaps. */
async function filledTables(tx: Transaction, tables: readonly string[]): Promise<string[]> {
  const oids = tables.map((name) => `('${name}'::regclass)`)
  const rows = await tx.query(
    `SELECT oid::regclass::text FROM (VALUES ${oids.join()}) AS t (oid) WHERE pg_relation_size(oid) > 0`,
  )
  return rows.map(([name]) => String(name))
}

/** @returns the database for as long as `end` isn't called, which waits for what it still does */
function lend(database: Database): { database: Database; end: () => Promise<boolean> } {
  const running = new Set<Promise<unknown>>()
  const endings: (() => Promise<void> | void)[] = []
  let hasEnded = false
  let isClosed = false

  function during<T>(work: () => Promise<T>): Promise<T> {
    if (hasEnded) return Promise.reject(new Error('the test of this database has ended'))
    const run = work()
    const done = () => void running.delete(run)
    running.add(run)
    run.then(done, done)
    return run
  }
  async function close() {
    isClosed = true
    await database.close()
  }
  const { listen, watch } = database
  return {
    database: {
      ...database,
      query: (...asked) => during(() => database.query(...asked)),
      search: (...asked) => during(() => database.search(...asked)),
      transaction: (...asked) => during(() => database.transaction(...asked)),
      ...(listen && {
        listen: async (...asked: Parameters<typeof listen>) => {
          const listener = await during(() => listen(...asked))
          endings.push(() => listener.close())
          return listener
        },
      }),
      ...(watch && {
        watch(written: () => void) {
          const stop = watch(written)
          endings.push(stop)
          return stop
        },
      }),
      close,
      [Symbol.asyncDispose]: close,
    },
    async end() {
      if (isClosed) return false
      hasEnded = true
      for (const ending of endings) await ending()
      while (running.size > 0) await Promise.allSettled(running)
      return true
    },
  }
}
