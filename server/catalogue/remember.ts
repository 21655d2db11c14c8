import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi'
import { sql } from 'kysely'
import { foldWords, type FederatedCatalogue } from '#catalogue/index.ts'
import type { Database } from '#records/index.ts'
import type { LibraryRecords } from '#server/collections/stored.ts'
import { okResponses, apiRouter } from '#server/http/api.ts'
import { readersOnly } from '#server/http/readers-only.ts'
import { findOwnBooks, ownBookColumns, toOwnBook } from '#server/library/own-books.ts'
import { findInOwnTexts } from '#server/library/own-texts.ts'
import { query } from '#server/storage/query.ts'
import { limitedText } from '#shared/form-fields.ts'
import { searchForm } from '#shared/search-form.ts'
import {
  canRemember,
  rememberFields,
  minRememberLength,
  type RememberedBook,
} from '#shared/suggestion.ts'
import { bookKey } from '#shared/user-book.ts'
import { orBusyError, readersLanguage } from './book-responses.ts'
import { ownBook } from './suggest.ts'

/** The most books in an answer. */
const max = 20
/** Fewer words are a name or a tag, not a description. */
const minDescribingWords = 3
/** Pages of catalogue results that are searched for the reader's own books. */
const maxPages = 3

const rememberRoute = createRoute({
  method: 'get',
  path: '/library/search',
  summary: "Searches the caller's own books by title, tags, notes, reviews, quotes and subjects",
  request: {
    query: z.object({
      q: limitedText(255, 'charactersBelow').default(''),
      /** `false` for callers that have already searched titles. */
      titles: z.enum(['true', 'false']).default('true'),
    }),
  },
  responses: okResponses(
    `At most ${max} books, each with the sentence that has the words; none for fewer than ${minRememberLength} letters`,
    z.object({
      books: z.array(
        ownBook.extend({
          found: z.object({ where: z.enum(rememberFields), sentence: z.string() }),
        }),
      ),
    }),
  ),
})

interface Deps {
  catalogue: Pick<FederatedCatalogue, 'search'>
  database: Database
  records: Pick<LibraryRecords, 'authenticate'>
}

/** The route that finds a reader's own books by what they remember; mounted at /api/v1. */
export function rememberRoutes({ catalogue, database, records }: Deps): OpenAPIHono {
  const router: OpenAPIHono = apiRouter()
  return router.openapi({ ...rememberRoute, ...readersOnly(records) }, async (c) => {
    c.header('Cache-Control', 'no-store')
    const { q, titles } = c.req.valid('query')
    const { id } = c.get('viewer')
    if (!canRemember(q)) return c.json({ data: { books: [] } }, 200)
    const found = new Map<string, RememberedBook>()
    const add = (books: readonly RememberedBook[]) => {
      for (const book of books) if (!found.has(bookKey(book))) found.set(bookKey(book), book)
    }
    const named = titles === 'true' ? await findOwnBooks(database, id, q, max) : []
    add(named.map((book) => ({ ...book, found: { where: 'title', sentence: '' } })))
    if (named.length < max) {
      const [said, about] = await Promise.all([
        findInOwnTexts(database, id, q, max),
        describedOwn({ catalogue, database }, id, q, readersLanguage(c)),
      ])
      add([...said, ...about])
    }
    return c.json({ data: { books: [...found.values()].slice(0, max) } }, 200)
  })
}

/** @returns the reader's own books whose catalogue description matches, with the sentence */
async function describedOwn(
  { catalogue, database }: Omit<Deps, 'records'>,
  user: string,
  q: string,
  language: string,
): Promise<RememberedBook[]> {
  if (foldWords(q).length < minDescribingWords) return []
  const own: RememberedBook[] = []
  for (let page = 1; page <= maxPages; page++) {
    const form = searchForm.parse({ q, mode: 'describe', page })
    const {
      books,
      matches = {},
      hasMoreResults,
    } = await orBusyError(catalogue.search(form, 'cached', language))
    const sentences = new Map(
      books.flatMap((book) => {
        const { title, authors, isbns } = book
        const sentence = matches[book.id]?.sentence ?? ''
        const keys = [bookKey({ title, authors, isbn: '' }), isbns.ISBN_13 ?? '']
        return keys.filter(Boolean).map((key): [string, string] => [key, sentence])
      }),
    )
    if (!books.length) break
    const rows = await query(
      database,
      sql`SELECT ${ownBookColumns} FROM user_books b WHERE b."user" = ${user}
        AND (b.book_key IN (${sql.join([...sentences.keys()])})
          OR b.title IN (${sql.join(books.map(({ title }) => title))}))
        ORDER BY b.id`,
    )
    for (const row of rows) {
      const book = toOwnBook(row)
      const sentence = sentences.get(bookKey(book)) ?? sentences.get(bookKey({ ...book, isbn: '' }))
      if (sentence) own.push({ ...book, found: { where: 'description', sentence } })
    }
    if (!hasMoreResults) break
  }
  return own
}
