import { Hono } from 'hono'
import { expect, onTestFinished, test } from 'vitest'
import { createRecords, openSqlite, type Database } from '#records/index.ts'
import { migrate } from '#server/migrations/migrate.ts'
import { newSqliteFile } from '#tests/databases.ts'
import { schema } from './collections.ts'

/** The lists of the screens, each with the table its rows come from. */
const lists: [string, string, string, string][] = [
  ['books of a reader, best first', 'user_books', 'user = "u"', '-rating'],
  ['books of a reader by title', 'user_books', 'user = "u"', 'title'],
  ['books of a reader, newest first', 'user_books', 'user = "u"', '-created'],
  ['books of a shelf by title', 'user_books', 'shelf = "s"', 'title'],
  ['books of a shelf, best first', 'user_books', 'shelf = "s"', '-rating'],
  ['books of a shelf, newest first', 'user_books', 'shelf = "s"', '-created'],
  ['the wishlist', 'user_books', 'user = "u" && status = "planning" && isbn != ""', '-created'],
  ['shelves of a reader', 'bookshelves', 'user = "u"', '-created'],
  ['the timeline', 'activities', 'user = "u"', '-created'],
  ['a profile by name', 'profile', 'username = "u"', ''],
  ['a profile by name in any case', 'profile', 'username:lower = "u"', ''],
  ['profiles, newest first', 'profile', '', '-created'],
]

test.each(lists)('%s come in order from an index', async (_, collection, filter, sort) => {
  const database = openSqlite(await newSqliteFile())
  onTestFinished(() => database.close())
  await migrate(database)
  const asked: Parameters<Database['query']>[] = []
  const records = createRecords({
    database: {
      ...database,
      query: (statement, parameters = []) => {
        asked.push([statement, parameters])
        return database.query(statement, parameters)
      },
    },
    schema,
    secret: 'a secret for tests that is long enough',
    appUrl: 'http://localhost:3000',
    onOtp: () => undefined,
  })
  onTestFinished(() => records.close())
  const app = new Hono().route('/api', records.routes)
  const query = new URLSearchParams({ filter, skipTotal: '1', perPage: '15' })
  if (sort) query.set('sort', sort)
  const response = await app.request(`/api/collections/${collection}/records?${query.toString()}`)
  expect(response.status).toBe(200)
  const [[statement, parameters] = ['', []]] = asked.filter(([text]) => text.includes('LIMIT'))
  const plan = await database.query(`EXPLAIN QUERY PLAN ${statement}`, parameters)
  // What stands inside another step (column 1) serves one row of it.
  const steps = plan.filter((row) => row[1] === 0).map((row) => String(row[3]))
  expect(steps[0]).toMatch(/ USING (?:COVERING )?INDEX /)
  // By name there is one row at most, which needs no index to be sorted.
  const sorting = steps.filter((step) => step.includes('TEMP B-TREE'))
  expect(collection === 'profile' && filter ? [] : sorting).toEqual([])
})
