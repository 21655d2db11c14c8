import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi'
import type { Catalogue } from '#catalogue/index.ts'
import type { Database } from '#records/index.ts'
import type { LibraryRecords } from '#server/collections/stored.ts'
import { okResponses, apiRouter } from '#server/http/api.ts'
import { access } from '#server/http/openapi.ts'
import { findOwnBooks } from '#server/library/own-books.ts'
import { limitedText } from '#shared/form-fields.ts'
import { minSuggestLength, type SuggestedBook, type Suggestions } from '#shared/suggestion.ts'
import { displayWidth, foldText } from '#shared/text.ts'
import { bookKey, statuses } from '#shared/user-book.ts'
import { orBusyError, bookSchema, namedPageSchema, readersLanguage } from './book-responses.ts'

const maxOwnBooks = 4
const maxBooks = 7

/** One of the caller's own books in API responses. */
export const ownBook = z.object({
  id: z.string(),
  title: z.string(),
  authors: z.array(z.string()),
  isbn: z.string(),
  image: z.string(),
  images: z.array(z.string()),
  status: z.enum(statuses),
  progress: z.number(),
  progress_percent: z.number(),
  page_count: z.number(),
})

const suggestRoute = createRoute({
  method: 'get',
  path: '/book-info/suggest',
  summary:
    "Suggestions while typing: the caller's own books, the best known of the catalogue, its series and authors",
  ...access.everybody,
  request: {
    query: z.object({
      /** Not trimmed: a trailing space means that the last word is complete. */
      q: limitedText(255, 'charactersBelow').default(''),
    }),
  },
  responses: okResponses(
    `At most ${maxOwnBooks} and ${maxBooks} books, two series and two authors; none for fewer than ${minSuggestLength} letters`,
    z.object({
      own: z.array(ownBook),
      books: z.array(
        bookSchema.pick({
          id: true,
          title: true,
          authors: true,
          image_links: true,
          published_date: true,
          isbns: true,
          slug: true,
        }),
      ),
      series: z.array(namedPageSchema),
      authors: z.array(namedPageSchema),
    }),
  ),
})

/** The route of suggestions while typing; mounted at /api/v1 before the route by id. */
export function suggestRoutes(deps: {
  catalogue: Pick<Catalogue, 'suggest'>
  database: Database
  records: Pick<LibraryRecords, 'authenticate'>
}): OpenAPIHono {
  const { catalogue, database, records } = deps
  const router: OpenAPIHono = apiRouter()
  return router.openapi(suggestRoute, async (c) => {
    // The answer depends on the session cookie.
    c.header('Cache-Control', 'no-store')
    const { q } = c.req.valid('query')
    if (displayWidth(foldText(q)) < minSuggestLength)
      return c.json({ data: { own: [], books: [], series: [], authors: [] } }, 200)
    const viewer = await records.authenticate(c.req.raw)
    const [own, found] = await Promise.all([
      viewer ? findOwnBooks(database, viewer.id, q, maxOwnBooks) : [],
      orBusyError(catalogue.suggest(q, maxBooks + maxOwnBooks, readersLanguage(c))),
    ])
    const { series, authors } = found
    const books = withoutOwn(found.books, own).slice(0, maxBooks).map(line)
    return c.json({ data: { own, books, series, authors } }, 200)
  })
}

/** Removes the reader's own books, which may be other editions or have no ISBN. */
function withoutOwn<Suggested extends SuggestedBook>(
  books: readonly Suggested[],
  own: Suggestions['own'],
): Suggested[] {
  const names = new Set(own.flatMap((one) => [bookKey(one), bookKey({ ...one, isbn: '' })]))
  return books.filter(
    ({ title, authors, isbns }) =>
      !names.has(bookKey({ title, authors, isbn: '' })) && !names.has(isbns.ISBN_13 ?? ''),
  )
}

function line(found: SuggestedBook): SuggestedBook {
  const { id, title, authors, image_links, published_date, isbns, slug } = found
  return { id, title, authors, image_links, published_date, isbns, slug }
}
