import { expect, test } from 'vitest'
import type { Database } from '#records/index.ts'
import { describeDatabases } from '#tests/databases.ts'
import { migrate, migrations } from './migrate.ts'
import { readingLife } from './0020-reading-life.ts'

const before = migrations.slice(0, migrations.indexOf(readingLife))

/** Inserts rows that leave out columns with a default. */
async function insert(database: Database, table: string, rows: readonly Record<string, unknown>[]) {
  const names = Object.keys(rows[0] ?? {})
  const columns = names.map((name) => `"${name}"`).join(', ')
  const source =
    database.dialect.name === 'sqlite'
      ? `SELECT ${names.map((name) => `value ->> '${name}'`).join(', ')} FROM json_each(?)`
      : `SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1::json)`
  await database.transaction((tx) =>
    tx.query(`INSERT INTO ${table} (${columns}) ${source}`, [JSON.stringify(rows)]),
  )
}

/** A book of Ann's on a shelf of its own. */
const book = (id: string, key: string, more: Record<string, string | number>) => ({
  id,
  user: 'ann',
  shelf: `shelf of ${id}`,
  title: key,
  authors: '[]',
  book_key: `${key}|`,
  page_count: 200,
  progress: 0,
  progress_percent: 0,
  rating: 0,
  status: 'planning',
  created: '2026-01-01 10:00:00.000Z',
  updated: '2026-01-01 10:00:00.000Z',
  ...more,
})

const entry = (id: string, of: string, event: string, created: string) => ({
  id,
  user: 'ann',
  book: of,
  event_type: event,
  created: `${created} 10:00:00.000Z`,
})

describeDatabases('the step reading-life', (open) => {
  test('gives all copies of a book the state of the one changed last', async () => {
    const database = await open()
    await migrate(database, before)
    const last = { updated: '2026-02-02 10:00:00.000Z' }
    await insert(database, 'user_books', [
      book('old', 'k1', { status: 'reading', progress: 50, rating: 7 }),
      book('new', 'k1', { status: 'completed', progress: 200, ...last }),
      book('short', 'k1', { page_count: 90, rating: 3, progress: 1, progress_percent: 4 }),
      book('one', 'k2', { status: 'reading', progress: 20, progress_percent: 10, rating: 5 }),
      book('other', 'k2', { page_count: 0, progress_percent: 60, status: 'paused', ...last }),
      book('alone', 'k3', { status: 'reading', progress: 40, rating: 9 }),
    ])
    await migrate(database)
    expect(
      await database.query(`SELECT id, status, progress, progress_percent, progress_average, rating
        FROM user_books ORDER BY book_key, id`),
    ).toEqual([
      ['new', 'completed', 200, 0, 100, 7],
      ['old', 'completed', 200, 0, 100, 7],
      ['short', 'completed', 90, 0, 100, 7],
      ['one', 'paused', 0, 60, 60, 5],
      ['other', 'paused', 0, 60, 60, 5],
      ['alone', 'reading', 40, 0, 0, 9],
    ])
  })

  test('learns readings from the timeline', async () => {
    const database = await open()
    await migrate(database, before)
    await insert(database, 'user_books', [
      book('twice', 'k1', { status: 'reading', rating: 8 }),
      book('added', 'k2', { status: 'completed', rating: 6 }),
      book('silent', 'k3', { status: 'dropped' }),
      book('wanted', 'k4', { status: 'planning' }),
    ])
    await insert(database, 'activities', [
      entry('a', 'twice', 'reading', '2026-01-02'),
      entry('b', 'twice', 'completed', '2026-01-05'),
      entry('c', 'twice', 'completed', '2026-01-06'),
      entry('d', 'twice', 'reading', '2026-01-09'),
      // In the minute in which the book was added.
      entry('e', 'added', 'completed', '2026-01-01'),
      entry('f', 'wanted', 'reading', '2026-01-03'),
    ])
    await migrate(database)
    expect(
      await database.query(`SELECT book_key, started, finished, outcome, rating FROM readings
        WHERE "user" = 'ann' ORDER BY book_key, created`),
    ).toEqual([
      ['k1|', '2026-01-02', '2026-01-05', 'finished', 8],
      ['k1|', '2026-01-09', '', 'reading', 0],
      ['k2|', '', '', 'finished', 6],
      ['k3|', '', '', 'dropped', 0],
    ])
  })

  // Looking through a reader's library for each book took hours.
  test('R11: migrates a reader with very many books', { timeout: 60_000 }, async () => {
    const database = await open()
    await migrate(database, before)
    const many = Array.from({ length: 10_000 }, (_, i) => i)
    await insert(
      database,
      'user_books',
      many.map((i) =>
        book(`b${i}`, `k${i >> 1}`, { status: 'completed', rating: i % 7, progress: i % 200 }),
      ),
    )
    await insert(
      database,
      'activities',
      many.map((i) => entry(`a${i}`, `b${i}`, 'completed', '2026-01-05')),
    )
    await migrate(database)
    expect(await database.query(`SELECT COUNT(*) FROM readings`)).toEqual([[5000]])
  })
})
