import { createHash } from 'node:crypto'
import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Catalogue } from '#catalogue/index.ts'
import { ApiError, texts, type Database } from '#records/index.ts'
import { columnsOf } from '#server/collections/select.ts'
import type { LibraryRecords } from '#server/collections/stored.ts'
import { apiRouter, okResponses } from '#server/http/api.ts'
import { readersOnly } from '#server/http/readers-only.ts'
import { findSeriesRecords } from '#server/library/series-records.ts'
import { query } from '#server/storage/query.ts'
import { directoryForm } from '#shared/directory-form.ts'
import { limitedText } from '#shared/form-fields.ts'
import {
  maxNextInSeries,
  nextOf,
  ownSeriesPageSize,
  type NextInSeries,
  type OwnSeriesBooks,
} from '#shared/series.ts'
import { orBusyError } from './book-responses.ts'
import { seriesSchema } from './series.ts'
import { seriesOfBooks, type NamedBook } from './series-of-books.ts'

/** More would take the catalogue too long. */
const maxBooks = 10_000

const own = z.string().openapi({ description: "The id of the caller's record; empty without one" })

const ownSeriesRoute = createRoute({
  method: 'get',
  path: '/library/series',
  summary: "The series of which the caller has books, by name, in the caller's editions",
  request: { query: directoryForm.pick({ page: true }) },
  responses: okResponses(
    `One page of ${ownSeriesPageSize} series`,
    z.object({
      series: z.array(
        seriesSchema.extend({
          entries: z.array(seriesSchema.shape.entries.element.extend({ own })),
        }),
      ),
      page: z.number(),
      hasMore: z.boolean(),
    }),
  ),
})

const ownInSeriesRoute = createRoute({
  method: 'get',
  path: '/library/series/{id}',
  summary: "The caller's records of a series' books, in any edition",
  request: { params: z.object({ id: limitedText(255, 'idTooLong') }) },
  responses: okResponses(
    'The ids of the books that the caller has',
    z.object({ books: z.array(z.object({ book: z.string(), own })) }),
    404,
  ),
})

const nextRoute = createRoute({
  method: 'get',
  path: '/library/next-in-series',
  summary: 'The next volumes of the series that the caller has begun',
  responses: okResponses(
    `At most ${maxNextInSeries}, the series of what was finished last first; none that the caller is reading or gave up`,
    z.object({
      items: z.array(
        seriesSchema.shape.entries.element.extend({ series: seriesSchema.shape.series, own }),
      ),
    }),
  ),
})

/** The routes of a reader's own series; mounted at /api/v1. */
export function ownSeriesRoutes(deps: {
  catalogue: Pick<Catalogue, 'seriesEditions' | 'seriesOf' | 'named'>
  database: Database
  records: Pick<LibraryRecords, 'authenticate'>
}): OpenAPIHono {
  const { catalogue, database, records } = deps
  const listOf = seriesLists(catalogue)
  const read = async (user: string, id: string, isbns: readonly string[] = []) => {
    const found = await orBusyError(catalogue.seriesEditions(id, isbns))
    if (!found) return null
    const ids = await findSeriesRecords(database, user, found.entries)
    const entries = found.entries.map(({ position, book }, n) => ({
      position,
      book,
      own: ids[n] ?? '',
    }))
    return { series: found.series, entries }
  }
  const router: OpenAPIHono = apiRouter()
  return router
    .openapi({ ...ownSeriesRoute, ...readersOnly(records) }, async (c) => {
      c.header('Cache-Control', 'no-store')
      const { page } = c.req.valid('query')
      const { id: user } = c.get('viewer')
      const owned = await orBusyError(listOf(user, await ownBooks(database, user)))
      const start = (page - 1) * ownSeriesPageSize
      const shown = owned.slice(start, start + ownSeriesPageSize)
      const found = await Promise.all(shown.map(({ id, isbns }) => read(user, id, isbns)))
      const series = found
        .filter((one) => one !== null)
        .filter(({ entries }) => entries.some(({ own: id }) => id !== ''))
      const hasMore = owned.length > start + ownSeriesPageSize
      return c.json({ data: { series, page, hasMore } }, 200)
    })
    .openapi({ ...nextRoute, ...readersOnly(records) }, async (c) => {
      c.header('Cache-Control', 'no-store')
      const { id: user } = c.get('viewer')
      const finished = await lastFinished(database, user)
      const begun = await orBusyError(seriesOfBooks(catalogue, finished))
      const latest = begun.toSorted((a, b) => a.first - b.first)
      const items: NextInSeries['items'] = []
      // One after the other, as most readers have begun few, and the first ones are enough.
      for (const series of latest.slice(0, maxBegun)) {
        if (items.length === maxNextInSeries) break
        const found = await read(user, series.id, series.isbns)
        const next = found && (await nextVolume(database, found))
        if (next) items.push({ ...next, series: found.series })
      }
      return c.json({ data: { items } }, 200)
    })
    .openapi({ ...ownInSeriesRoute, ...readersOnly(records) }, async (c) => {
      c.header('Cache-Control', 'no-store')
      const found = await read(c.get('viewer').id, c.req.valid('param').id)
      if (!found) throw new ApiError(404)
      const had = found.entries.filter((entry) => entry.own !== '')
      const books = had.map(({ book, own: id }) => ({ book: book.id, own: id }))
      return c.json({ data: { books } }, 200)
    })
}

/** The books finished last whose series are looked at, and how many of these series. */
const [maxFinished, maxBegun] = [60, 12]

/** @returns the books that a reader finished last, latest first */
async function lastFinished(database: Database, user: string): Promise<NamedBook[]> {
  return query(
    database,
    sql`SELECT b.isbn, b.title, b.authors FROM (SELECT book_key, finished, id FROM readings
        WHERE "user" = ${user} AND outcome = 'finished'
        ORDER BY finished DESC, id LIMIT ${sql.lit(maxFinished)}) r
      JOIN user_books b ON b.book_key = r.book_key AND b."user" = ${user}
      ORDER BY r.finished DESC, r.id`,
    namedBook,
  )
}

/** @returns the volume after the last finished one, unless the reader is reading it or gave it up */
async function nextVolume(database: Database, found: OwnSeriesBooks) {
  const ids = found.entries.map(({ own }) => own).filter(Boolean)
  if (ids.length === 0) return undefined
  const rows = await query(
    database,
    sql`SELECT id, status FROM user_books WHERE id IN (${sql.join(ids)})`,
    columnsOf('user_books', 'id', 'status'),
  )
  const statuses = new Map<string, string>(rows.map(({ id, status }) => [id, status]))
  const statusOf = (one: { own: string } | undefined) => statuses.get(one?.own ?? '') ?? ''
  const ownOf = new Map(found.entries.map((entry) => [entry.book, entry]))
  const next = nextOf(found, (book) => statusOf(ownOf.get(book)) === 'completed')
  const entry = next && ownOf.get(next.book)
  return entry && !['reading', 'dropped'].includes(statusOf(entry)) ? entry : undefined
}

/** Milliseconds until a list is made again, as the catalogue may know more by then. */
const listsFor = 10 * 60_000
/** Readers whose lists are cached. */
const maxLists = 100

/**
 * The series of some books, by id. Finding them costs the more the larger a library is, so each
 * reader's last list is cached until their books change.
 */
function seriesLists(catalogue: Pick<Catalogue, 'seriesOf' | 'named'>) {
  const lists = new LRUCache<string, { of: string; list: ReturnType<typeof seriesOfBooks> }>({
    max: maxLists,
    ttl: listsFor,
  })
  return (user: string, books: readonly NamedBook[]) => {
    const of = createHash('sha256').update(JSON.stringify(books)).digest('base64url')
    const cached = lists.get(user)
    if (cached?.of === of) return cached.list
    const list = seriesOfBooks(catalogue, books).then((found) =>
      found.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    )
    lists.set(user, { of, list })
    list.catch(() => lists.delete(user))
    return list
  }
}

/** @returns a reader's ISBNs, and the books that have none */
async function ownBooks(database: Database, user: string): Promise<NamedBook[]> {
  const isbns = await query(
    database,
    sql`SELECT DISTINCT isbn FROM user_books WHERE "user" = ${user} AND isbn <> ''
      ORDER BY isbn LIMIT ${sql.lit(maxBooks)}`,
    columnsOf('user_books', 'isbn'),
  )
  const others = await query(
    database,
    sql`SELECT isbn, title, authors FROM user_books WHERE "user" = ${user} AND isbn = ''
      ORDER BY id LIMIT ${sql.lit(maxBooks)}`,
    namedBook,
  )
  return [...isbns.map(({ isbn }) => ({ isbn, title: '', authors: [] })), ...others]
}

const namedBook = { ...columnsOf('user_books', 'isbn', 'title'), authors: texts }
