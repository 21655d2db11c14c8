import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi'
import { sql } from 'kysely'
import type { FederatedCatalogue } from '#catalogue/index.ts'
import { text, type Database } from '#records/index.ts'
import type { LibraryRecords } from '#server/collections/stored.ts'
import { apiRouter, okResponses } from '#server/http/api.ts'
import { readersOnly } from '#server/http/readers-only.ts'
import { workOf } from '#server/library/work.ts'
import { query } from '#server/storage/query.ts'
import { likedRating, maxBecauseLiked, type BecauseLiked, type Book } from '#shared/book.ts'
import { toIsbn13 } from '#shared/isbn.ts'
import { bookSchema, orBusyError } from './book-responses.ts'
import type { CoReadsOfReaders } from './public-shelves.ts'
import { similarBooks } from './similar.ts'

/** The liked books whose neighbours are looked up, and the fewest of these that are worth showing. */
const [maxLiked, fewest] = [4, 3]

const becauseLikedRoute = createRoute({
  method: 'get',
  path: '/library/because-liked',
  summary: 'Books like one that the caller has rated highly and finished lately',
  responses: okResponses(
    `At most ${maxBecauseLiked} books, none of which the caller has in any edition; \`liked\` is null if there are none`,
    z.object({ liked: z.union([bookSchema, z.null()]), books: z.array(bookSchema) }),
  ),
})

/** What a reader may like; mounted at /api/v1. */
export function becauseLikedRoutes(deps: {
  catalogue: FederatedCatalogue
  coReads: CoReadsOfReaders | undefined
  database: Database
  records: Pick<LibraryRecords, 'authenticate'>
}): OpenAPIHono {
  const { catalogue, coReads, database, records } = deps
  const router: OpenAPIHono = apiRouter()
  return router.openapi({ ...becauseLikedRoute, ...readersOnly(records) }, async (c) => {
    c.header('Cache-Control', 'no-store')
    const { id: user } = c.get('viewer')
    const find = async (): Promise<BecauseLiked> => {
      for (const isbn of await likedLately(database, user)) {
        const liked = await catalogue.known(isbn)
        if (!liked) continue
        const similar = await similarBooks(catalogue, coReads, liked)
        const books = await withoutOwn(database, user, similar.books)
        if (books.length >= fewest) return { liked, books: books.slice(0, maxBecauseLiked) }
      }
      return { liked: null, books: [] }
    }
    return c.json({ data: await orBusyError(find()) }, 200)
  })
}

/** @returns the ISBN-13s of the highly rated books that a reader finished last, latest first */
async function likedLately(database: Database, user: string): Promise<string[]> {
  const rows = await query(
    database,
    sql`SELECT b.isbn FROM (SELECT book_key, finished, id FROM readings
        WHERE "user" = ${user} AND outcome = 'finished' AND rating >= ${sql.lit(likedRating)}
        ORDER BY finished DESC, id LIMIT ${sql.lit(maxLiked)}) r
      JOIN user_books b ON b.book_key = r.book_key AND b."user" = ${user}
      WHERE b.isbn <> '' ORDER BY r.finished DESC, r.id`,
    { isbn: text },
  )
  return [...new Set(rows.flatMap(({ isbn }) => toIsbn13(isbn) ?? []))]
}

/** @returns the books of which a reader has no edition on a shelf */
async function withoutOwn(
  database: Database,
  user: string,
  books: readonly Book[],
): Promise<Book[]> {
  if (books.length === 0) return []
  const isbns = books.flatMap(({ isbns: { ISBN_13 } }) => ISBN_13 ?? [])
  const rows = await query(
    database,
    sql`SELECT work FROM user_books
        WHERE "user" = ${user} AND work IN (${sql.join(books.map(workOf))})
      UNION SELECT book_key FROM user_books
        WHERE "user" = ${user} AND book_key IN (${sql.join(['', ...isbns])})`,
    { name: text },
  )
  const own = new Set(rows.map(({ name }) => name))
  return books.filter((book) => !own.has(workOf(book)) && !own.has(book.isbns.ISBN_13 ?? ''))
}
