import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi'
import type { FederatedCatalogue } from '#catalogue/index.ts'
import { ApiError, type Database } from '#records/index.ts'
import type { LibraryRecords } from '#server/collections/stored.ts'
import { apiRouter, okResponses } from '#server/http/api.ts'
import { access } from '#server/http/openapi.ts'
import { readBookReaders } from '#server/library/book-readers.ts'
import { findPublicRecord } from '#server/library/public-record.ts'
import { workOf } from '#server/library/work.ts'
import type { Book } from '#shared/book.ts'
import { minRatings, reviewPageSize } from '#shared/book-readers.ts'
import { directoryForm } from '#shared/directory-form.ts'
import { isbnText, limitedText } from '#shared/form-fields.ts'
import { toIsbn13 } from '#shared/isbn.ts'
import { orBusyError } from './book-responses.ts'

const readersRoute = createRoute({
  method: 'get',
  path: '/book-info/{id}/readers',
  summary:
    'What readers here say of a book in any edition: ratings and reviews that the caller can see',
  ...access.everybody,
  request: {
    params: z.object({ id: limitedText(255, 'idTooLong') }),
    query: directoryForm.pick({ page: true }),
  },
  responses: okResponses(
    `The average from ${minRatings} ratings on, how many there are of each, and ${reviewPageSize} reviews: the caller's own first, then the newest`,
    z.object({
      average: z.number().nullable(),
      ratings: z.number(),
      distribution: z.array(z.number()),
      readers: z.number(),
      reviews: z.array(
        z.object({
          reader: z.object({
            id: z.string(),
            username: z.string(),
            name: z.string(),
            avatar: z.string(),
          }),
          rating: z.number(),
          review: z.string(),
          spoilers: z.boolean(),
          finished: z.string(),
          user_book: z.string(),
        }),
      ),
      page: z.number(),
      hasMore: z.boolean(),
    }),
    404,
  ),
})

const recordRoute = createRoute({
  method: 'get',
  path: '/book-info/isbn/{isbn}/record',
  summary: 'A record that everybody can see of the book with an ISBN, which may be in no catalogue',
  ...access.everybody,
  request: { params: z.object({ isbn: isbnText }) },
  responses: okResponses(
    'The id of a record and the username of its reader, or null',
    z.object({ record: z.object({ id: z.string(), username: z.string() }).nullable() }),
    404,
  ),
})

/** The routes of a book's readers; mounted at /api/v1. */
export function readersRoutes(deps: {
  catalogue: Pick<FederatedCatalogue, 'byId' | 'knownEditions'>
  database: Database
  records: Pick<LibraryRecords, 'authenticate'>
}): OpenAPIHono {
  const { catalogue, database, records } = deps
  const router: OpenAPIHono = apiRouter()
  return router
    .openapi(readersRoute, async (c) => {
      const { id } = c.req.valid('param')
      const { page } = c.req.valid('query')
      const book = await orBusyError(catalogue.byId(id))
      if (!book) throw new ApiError(404)
      const [viewer, editions] = await Promise.all([
        records.authenticate(c.req.raw),
        orBusyError(catalogue.knownEditions(id)),
      ])
      const works = worksOf(book, editions)
      // The answer depends on the session cookie.
      c.header('Cache-Control', 'no-store')
      return c.json({ data: await readBookReaders(database, works, viewer?.id ?? '', page) }, 200)
    })
    .openapi(recordRoute, async (c) => {
      // A reader can hide a record at any time.
      c.header('Cache-Control', 'no-store')
      const isbn = toIsbn13(c.req.valid('param').isbn)
      const record = isbn ? await findPublicRecord(database, isbn) : null
      return c.json({ data: { record } }, 200)
    })
}

/** All names under which readers may have a book: each edition's title, with its subtitle or not. */
function worksOf(book: Book, editions: readonly Book[]): string[] {
  const names = [book, ...editions].flatMap(({ title, subtitle, authors }) => {
    const titles = subtitle ? [title, `${title}: ${subtitle}`] : [title]
    const by = authors.length ? authors : book.authors
    return titles.map((one) => workOf({ title: one, authors: by }))
  })
  return [...new Set(names)]
}
