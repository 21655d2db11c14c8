import type { Value } from '#records/database/placeholder.ts'
import { openSqlite, type Database, type Transaction } from '#records/index.ts'
import { countWorks } from '#server/migrations/0041-work-readers.ts'
import { countBookTotals } from '#server/migrations/0025-book-totals.ts'
import { migrate } from '#server/migrations/migrate.ts'

/** One row by column; what is left out has its default. */
export type FilledRow = Readonly<Record<string, Value>>

/** Rows by table, all of a table with the same columns. */
export type FilledTables = Readonly<Record<string, Iterable<FilledRow>>>

/** @returns as many rows, made from their numbers */
export function* rows<Row extends FilledRow>(
  count: number,
  make: (n: number) => Row,
): Generator<Row> {
  for (let n = 0; n < count; n++) yield make(n)
}

/** Fills a SQLite database, which is created if it doesn't exist. */
export async function fillSqlite(file: string, tables: FilledTables): Promise<void> {
  await using database = openSqlite(file)
  await fill(database, tables)
}

/**
 * Migrates a database and adds rows to it. Indexes are created after the rows, which takes a
 * fraction of the time.
 */
export async function fill(database: Database, tables: FilledTables): Promise<void> {
  await migrate(database)
  const engine = database.dialect.name === 'sqlite' ? sqlite : postgres
  await database.transaction(async (tx) => {
    const indexes = await tx.query(engine.indexes)
    for (const [name] of indexes) await tx.query(`DROP INDEX "${String(name)}"`)
    for (const [name, rows] of Object.entries(tables)) await engine.insert(tx, name, rows)
    for (const [, statement] of indexes) await tx.query(String(statement))
    for (const statement of countTotals(database.dialect.name)) await tx.query(statement)
    await tx.query('ANALYZE')
  })
}

/**
 * The statements that count the books and tags of all readers, which the server counts as they are
 * added. Tags must be their own keys.
 */
export const countTotals = (dialect: 'sqlite' | 'postgres'): string[] => [
  'DELETE FROM book_totals',
  'DELETE FROM tag_totals',
  'DELETE FROM tag_key_totals',
  ...countBookTotals(dialect),
  'UPDATE tag_totals SET key = tag',
  `INSERT INTO tag_key_totals ("user", audience, key, books)
    SELECT "user", audience, key, books FROM tag_totals`,
  'DELETE FROM work_readers',
  'DELETE FROM work_totals',
  ...countWorks,
]

interface Engine {
  /** Asks for the name and the statement of each index that can be made again. */
  indexes: string
  insert(tx: Transaction, table: string, rows: Iterable<FilledRow>): Promise<void>
}

const sqlite: Engine = {
  indexes: `SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL`,
  async insert(tx, table, rows) {
    for (const row of rows) {
      const columns = Object.keys(row)
      const statement = `INSERT INTO "${table}" (${columns.map((name) => `"${name}"`).join()})
        VALUES (${columns.map(() => '?').join()})`
      await tx.query(statement, Object.values(row))
    }
  },
}

/** Rows that PostgreSQL is sent at a time. */
const sentTogether = 5000

const postgres: Engine = {
  // Those of a constraint stay: it would go with them.
  indexes: `SELECT i.indexname, i.indexdef FROM pg_indexes i
    WHERE i.schemaname = current_schema()
      AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conname = i.indexname)`,
  async insert(tx, table, rows) {
    let sent: FilledRow[] = []
    const send = async () => {
      const columns = Object.keys(sent[0] ?? {}).map((name) => `"${name}"`)
      if (columns.length > 0)
        await tx.query(
          `INSERT INTO "${table}" (${columns.join()}) SELECT ${columns.join()}
            FROM json_populate_recordset(NULL::"${table}", $1::json)`,
          [JSON.stringify(sent)],
        )
      sent = []
    }
    for (const row of rows) if (sent.push(row) === sentTogether) await send()
    await send()
  },
}
