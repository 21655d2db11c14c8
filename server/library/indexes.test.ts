import { Hono } from 'hono'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createRecords, openPostgres, openSqlite, type Database } from '#records/index.ts'
import { migrate } from '#server/migrations/migrate.ts'
import { suiteCleanup } from '#tests/cleanup.ts'
import { newPostgresUrl, newSqliteFile } from '#tests/databases.ts'
import { readBookReaders } from './book-readers.ts'
import { schema } from '#server/collections/schema.ts'
import { searchReaders } from '#server/readers/find.ts'
import { listReaders } from './directory.ts'
import { readStatistics } from './statistics.ts'

/** The lists of the screens, each with the table its rows come from. */
const lists: [string, string, string, string][] = [
  ['books of a reader, best first', 'user_books', 'user = "u"', '-rating'],
  [
    'books of a reader, being read and best first',
    'user_books',
    'user = "u"',
    '-being_read,-rating,id',
  ],
  ['books of a reader, last finished first', 'user_books', 'user = "u"', '-finished,id'],
  ['books of a reader by title', 'user_books', 'user = "u"', 'title'],
  ['books of a reader, newest first', 'user_books', 'user = "u"', '-created'],
  ['books of a reader, worst first', 'user_books', 'user = "u"', 'rating,-id'],
  ['books of a reader from the end', 'user_books', 'user = "u"', '-title,-id'],
  ['books of a reader, oldest first', 'user_books', 'user = "u"', 'created,-id'],
  ['books by title', 'user_books', 'user = "u" && title ~ "a"', '-rating'],
  [
    'books by author and genre',
    'user_books',
    'user = "u" && authors ~ "a" && genres ~ "b"',
    'title',
  ],
  ['books by number', 'user_books', 'user = "u" && isbn ~ "978"', '-created'],
  [
    'books being read, last touched first',
    'user_books',
    'user = "u" && status = "reading"',
    '-updated,id',
  ],
  ['books of a status', 'user_books', 'user = "u" && status = "reading"', '-rating'],
  [
    'books as far as read',
    'user_books',
    'user = "u" && progress_average >= 5 && progress_average <= 80',
    'title',
  ],
  ['books of two shelves', 'user_books', 'user = "u" && (shelf = "s" || shelf = "t")', '-rating'],
  ['shelves by name', 'bookshelves', 'user = "u" && name ~ "abc"', '-created'],
  ['books of a shelf by title', 'user_books', 'shelf = "s"', 'title'],
  ['books of a shelf, best first', 'user_books', 'shelf = "s"', '-rating'],
  ['books of a shelf, newest first', 'user_books', 'shelf = "s"', '-created'],
  ['the wishlist', 'user_books', 'user = "u" && status = "planning" && isbn != ""', '-created'],
  ['shelves of a reader', 'bookshelves', 'user = "u"', '-created'],
  ['the timeline', 'activities', 'user = "u"', '-created'],
  ['readings, last made first', 'readings', 'user = "u"', '-created,id'],
  ['quotes, last made first', 'quotes', 'user = "u"', '-created,id'],
  ['a profile by name', 'profile', 'username = "u"', ''],
  ['a profile by name in any case', 'profile', 'username:lower = "u"', ''],
  ['profiles, newest first', 'profile', '', '-created'],
]

/** A database, and all that it has been asked. */
function recorded(database: Database) {
  const asked: Parameters<Database['query']>[] = []
  const query: Database['query'] = (statement, parameters = []) => {
    asked.push([statement, parameters])
    return database.query(statement, parameters)
  }
  return { asked, told: { ...database, query, search: query } }
}

/** The statement that a list is read by, with what it is asked. */
async function statementOf(
  database: Database,
  [, collection, filter, sort]: (typeof lists)[number],
): Promise<Parameters<Database['query']>> {
  const { asked, told } = recorded(database)
  const records = createRecords({
    database: told,
    schema,
    secret: 'a secret for tests that is long enough',
    appUrl: 'http://localhost:3000',
    onOtp: () => undefined,
  })
  const app = new Hono().route('/', records.routes)
  const query = new URLSearchParams({ filter, skipTotal: '1', perPage: '15' })
  if (sort) query.set('sort', sort)
  const response = await app.request(`/api/collections/${collection}/records?${query.toString()}`)
  expect(response.status).toBe(200)
  await records.close()
  return asked.find(([text]) => text.includes('LIMIT')) ?? ['', []]
}

test.each(lists)('%s come in order from an index', async (...list) => {
  const [, collection, filter] = list
  const database = openSqlite(await newSqliteFile())
  onTestFinished(() => database.close())
  await migrate(database)
  const [statement, parameters] = await statementOf(database, list)
  const plan = await database.query(`EXPLAIN QUERY PLAN ${statement}`, parameters)
  // What stands inside another step (column 1) serves one row of it.
  const steps = plan.filter((row) => row[1] === 0).map((row) => String(row[3]))
  expect(steps[0]).toMatch(/ USING (?:COVERING )?INDEX /)
  // By name there is one row at most, which needs no index to be sorted.
  const sorting = steps.filter((step) => step.includes('TEMP B-TREE'))
  expect(collection === 'profile' && filter ? [] : sorting).toEqual([])
})

test.each(['newest', 'a-z'] as const)(
  'readers, %s, come in order from indexes alone',
  async (sort) => {
    const database = openSqlite(await newSqliteFile())
    onTestFinished(() => database.close())
    await migrate(database)
    const { asked, told } = recorded(database)
    await listReaders(told, { q: '', sort, page: 1 }, '')
    const plans = asked.map(([statement, parameters]) =>
      database.query(`EXPLAIN QUERY PLAN ${statement}`, parameters),
    )
    const steps = (await Promise.all(plans)).flat().map((row) => String(row[3]))
    const ofReaders = steps.filter((step) => /^(?:SCAN|SEARCH) [us]\b/.test(step))
    expect(ofReaders).toEqual(
      expect.arrayContaining([
        expect.stringContaining(sort === 'newest' ? 'users_created' : 'users_username_key'),
        expect.stringMatching(/^SCAN s USING COVERING INDEX settings_public/),
      ]),
    )
    expect(steps.filter((step) => step.startsWith('SCAN') && !step.includes('INDEX'))).toEqual([
      expect.stringMatching(/^SCAN (?:cut|\(subquery)/),
    ])
  },
)

test('a page of the administrator’s readers reads nothing of the others', async () => {
  const database = openSqlite(await newSqliteFile())
  onTestFinished(() => database.close())
  await migrate(database)
  await database.transaction((tx) =>
    tx.query(`INSERT INTO users (id, username, email, "tokenKey") VALUES ('u', 'u', 'u', 'u')`),
  )
  const { asked, told } = recorded(database)
  await searchReaders(told, { q: '', sort: 'newest', page: 1 }, 'u', new Date())
  const [, , [statement, parameters] = ['', []]] = asked
  const plan = await database.query(`EXPLAIN QUERY PLAN ${statement}`, parameters)
  const steps = plan.map((row) => String(row[3]))
  expect(steps).toContainEqual(expect.stringMatching(/^SEARCH user_books USING .*INDEX/))
  // Only what a part of the query has found is read whole.
  expect(steps.filter((step) => /^SCAN (?![abfhpsx] )/.test(step))).toEqual([])
})

test('the readers of a book are counted and listed in order by indexes', async () => {
  const database = openSqlite(await newSqliteFile())
  onTestFinished(() => database.close())
  await migrate(database)
  await database.transaction((tx) =>
    tx.query(`INSERT INTO work_totals (work, step, readers, total)
      VALUES ('a work|by somebody', 0, 2, 0)`),
  )
  const { asked, told } = recorded(database)
  await readBookReaders(told, ['a work|by somebody'], 'u', 3)
  const plans = asked.map(([statement, parameters]) =>
    database.query(`EXPLAIN QUERY PLAN ${statement}`, parameters),
  )
  const steps = (await Promise.all(plans)).flat().map((row) => String(row[3]))
  // Only what a part of the query has found is read whole.
  const ofTables = /^SCAN (?!(?:r|theirs|latest|newest|merged|\(subquery-\d+\))$)/
  expect(steps.filter((step) => ofTables.test(step))).toEqual([])
  // The one record of the viewer's, and what one reader gives to several editions.
  const sorted = steps.filter((step) => step.includes('TEMP B-TREE'))
  expect(sorted.length).toBeLessThanOrEqual(4)
  expect(steps).toContainEqual(expect.stringContaining('work_readers_reviewed'))
})

describe('on PostgreSQL', () => {
  let database: Database
  const onCleanup = suiteCleanup()
  beforeAll(async () => {
    database = await openPostgres(await newPostgresUrl(onCleanup))
    onCleanup(() => database.close())
    await migrate(database)
    // A reader with 4,000 books among twenty, so that the planner has something to choose by.
    const id = (what: string) => `LPAD((${what})::text, 15, 'u')`
    for (const fill of [
      `INSERT INTO users (id, username, email, "tokenKey", created)
        SELECT ${id('n')}, 'r' || n, 'r' || n, n::text, n::text FROM generate_series(1, 20) n`,
      `INSERT INTO settings (id, "user") SELECT ${id('n')}, ${id('n')} FROM generate_series(1, 20) n`,
      `INSERT INTO bookshelves (id, "user", name, visibility, created)
        SELECT ${id('n')}, ${id('n % 20 + 1')}, 'Shelf ' || n, 'public', n::text FROM generate_series(1, 400) n`,
      `INSERT INTO user_books (id, "user", shelf, title, authors, genres, isbn, images, progress_average,
          rating, status, book_key, created)
        SELECT ${id('n')}, ${id('(CASE WHEN n <= 4000 THEN 0 ELSE n % 19 + 1 END) + 1')}, ${id('n % 400 + 1')},
          MD5(n::text), '["a"]', '["b"]', (9780000000000 + n)::text, '[]', n % 100, n % 20 / 2.0,
          (ARRAY['reading', 'completed', 'planning'])[n % 3 + 1], n::text, n::text
        FROM generate_series(1, 40000) n`,
      'ANALYZE',
    ])
      // Reads are cut off after seconds; filling may take longer on a busy machine.
      await database.transaction((tx) => tx.query(fill))
  })

  const reader = `${'u'.repeat(14)}1`
  const ofBooks = lists.filter(
    ([, collection, filter]) => collection === 'user_books' && filter.includes('user = "u"'),
  )

  test.each(ofBooks)('%s are found by an index', async (...list) => {
    const [name, collection, filter, sort] = list
    const asked = filter.replaceAll('"u"', `"${reader}"`)
    const [statement, parameters = []] = await statementOf(database, [
      name,
      collection,
      asked,
      sort,
    ])
    const rows = await database.query(
      `EXPLAIN ${statement.replaceAll(/\$(\d+)/g, (_, n) => literal(parameters[Number(n) - 1]))}`,
    )
    const plan = rows.map(([line]) => String(line)).join('\n')
    // It thinks few are for a visitor, and may well sort them; it must not look at those of others.
    expect(plan).toMatch(/(?:Index (?:Only )?|Bitmap Heap )Scan.* on user_books/)
    expect(plan).not.toMatch(/Seq Scan on user_books/)
  })

  test('the readers of a book are found by indexes', { timeout: 180_000 }, async () => {
    for (const fill of [
      `UPDATE user_books SET work = title`,
      `INSERT INTO work_readers (work, "user", rating, rated, book, reviewed)
        SELECT 'work ' || n % 4000, 'reader ' || n, n % 10, n::text, LPAD(n::text, 15, 'u'), n::text
        FROM generate_series(1, 40000) n`,
      `INSERT INTO work_totals (work, step, readers, total)
        SELECT work, rating, COUNT(*), SUM(rating) FROM work_readers GROUP BY 1, 2`,
      'ANALYZE',
    ])
      await database.transaction((tx) => tx.query(fill))
    const asked: Parameters<Database['query']>[] = []
    const told: Database['query'] = (statement, parameters = []) => {
      asked.push([statement, parameters])
      return database.query(statement, parameters)
    }
    const found = await readBookReaders({ ...database, query: told }, ['work 7'], reader, 2)
    expect(found).toMatchObject({ readers: 10, ratings: 10 })
    for (const [statement, parameters = []] of asked) {
      const plan = await database.query(
        `EXPLAIN ${statement.replaceAll(/\$(\d+)/g, (_, n) => literal(parameters[Number(n) - 1]))}`,
      )
      expect(plan.join('\n')).not.toMatch(/Seq Scan on (?:work_readers|work_totals|user_books)/)
    }
  })
})

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}

test('statistics find their readings once, and the progress log in indexes', async () => {
  const database = openSqlite(await newSqliteFile())
  onTestFinished(() => database.close())
  await migrate(database)
  await database.transaction((tx) =>
    tx.query(
      `INSERT INTO users (id, username, email, "tokenKey") VALUES ('u', 'reader', 'u', 'u')`,
    ),
  )
  const { asked, told } = recorded(database)
  await readStatistics(told, 'reader', 'u', { year: undefined }, new Date())
  const plans = asked.map(([statement, parameters]) =>
    database.query(`EXPLAIN QUERY PLAN ${statement}`, parameters),
  )
  const steps = (await Promise.all(plans)).flat().map((row) => String(row[3]))
  const finds = (table: string) => steps.filter((step) => step.startsWith(`SEARCH ${table} `))
  // All of them, and those that were given up.
  expect(finds('readings')).toEqual([
    expect.not.stringContaining('readings_dropped'),
    expect.stringContaining('readings_dropped'),
  ])
  expect(finds('progress_log')).toEqual([
    expect.stringContaining('USING COVERING INDEX progress_log_user_day'),
    expect.stringContaining('progress_log_hours'),
    expect.stringContaining('progress_log_reading'),
  ])
})
