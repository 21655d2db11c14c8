import { createRoute, z } from '@hono/zod-openapi'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { World } from '#catalogue/index.ts'
import { bookSources, CatalogueBusy, preferredLanguage, storeOffers } from '#catalogue/index.ts'
import { ApiError } from '#records/index.ts'
import { apiRouter } from '#server/http/api.ts'
import type { Book } from '#shared/book.ts'
import { searchForm } from '#shared/search-form.ts'
import { offerForm } from '#shared/offer-form.ts'
import { offerKinds, type OfferForm } from '#shared/offer.ts'

const book = z.object({
  id: z.string(),
  ids: z.object({
    google: z.string().optional(),
    openlibrary: z.string().optional(),
    work: z.string().optional(),
    gutenberg: z.string().optional(),
    standard_ebooks: z.string().optional(),
    librivox: z.string().optional(),
    archive: z.string().optional(),
  }),
  title: z.string(),
  subtitle: z.string().optional(),
  authors: z.array(z.string()),
  genres: z.array(z.string()),
  image_links: z.array(z.string()),
  page_count: z.number(),
  isbns: z.object({ ISBN_10: z.string().optional(), ISBN_13: z.string().optional() }),
  description: z.string(),
  published_date: z.string(),
  publisher: z.string(),
  language: z.string(),
  slug: z.string(),
  format: z.string().optional(),
})

const match = z.object({ subjects: z.array(z.string()), sentence: z.string() })

const answers = <Data extends z.ZodType>(description: string, data: Data) => ({
  200: { description, content: { 'application/json': { schema: z.object({ data }) } } },
})

/** Absent when the source is switched off. */
const sourceState = z.enum(['answered', 'silent', 'unasked']).optional()

const searchRoute = createRoute({
  method: 'get',
  path: '/book-info/search',
  summary: 'One page of 18 books by text, title, author, publisher, genre or ISBN',
  request: {
    query: searchForm.safeExtend({
      /** `known` asks no other catalogue: the answer comes at once. */
      answers: z.enum(['all', 'known']).default('all'),
    }),
  },
  responses: answers(
    'Best first, or newest first',
    z.object({
      books: z.array(book),
      hasMoreResults: z.boolean(),
      /** The text with its typos put right, when the books are those of that. */
      did_you_mean: z.string().optional(),
      /** There when the text was taken as a description: why books answer it, by their id. */
      matches: z.record(z.string(), match).optional(),
      sources: z.object({ openlibrary: sourceState, google: sourceState }),
    }),
  ),
})

const isbnRoute = createRoute({
  method: 'get',
  path: '/book-info/isbn/{isbn}',
  summary: 'The book with an ISBN-10 or ISBN-13',
  request: { params: z.object({ isbn: searchForm.shape.isbn }) },
  responses: answers('The book', z.object({ book })),
})

const bookRoute = createRoute({
  method: 'get',
  path: '/book-info/{id}',
  summary: "The book with the catalogue's own id",
  request: { params: z.object({ id: z.string().max(255) }) },
  responses: answers('The book', z.object({ book })),
})

const editionsRoute = createRoute({
  method: 'get',
  path: '/book-info/{id}/editions',
  summary: 'Other editions of the same work, the latest first',
  request: { params: z.object({ id: z.string().max(255) }) },
  responses: answers('At most 50 books', z.object({ editions: z.array(book) })),
})

const link = z.string().optional()

const offersRoute = createRoute({
  method: 'get',
  path: '/book-info/offers',
  summary: 'Stores and libraries that may have a book, with a link for each format',
  request: { query: offerForm },
  responses: answers(
    'One entry per store',
    z.object({
      offers: z.array(
        z.object({
          store: z.string(),
          kind: z.enum(offerKinds),
          links: z.object({ physical: link, ebook: link, audio_book: link }),
        }),
      ),
    }),
  ),
})

const sourcesRoute = createRoute({
  method: 'get',
  path: '/book-info/sources',
  summary: 'Other catalogues that describe a book',
  request: { query: offerForm },
  responses: answers(
    'One link per catalogue',
    z.object({
      sources: z.array(z.object({ name: z.enum(['google', 'openlibrary']), link: z.string() })),
    }),
  ),
})

const exploreRoute = createRoute({
  method: 'get',
  path: '/explore',
  summary: 'What is shown before anything is searched',
  responses: answers(
    'The two curated sections, best known first',
    z.object({ classics: z.array(book), manga: z.array(book) }),
  ),
})

/** The same for everyone, and it changes only when the catalogue is built anew. */
const cached = { 'Cache-Control': 'public, max-age=300' }

/** Another try may bring more: a source that was silent, or was not asked. */
const partial = { 'Cache-Control': 'no-cache' }

/** The catalogue's own calls; to be mounted at /api/v1. */
export function bookInfo(catalogue: World): OpenAPIHono {
  const router: OpenAPIHono = apiRouter()
  const knownIds = async ({ isbn }: OfferForm) =>
    isbn ? (await asked(catalogue.known(isbn)))?.ids : undefined
  return (
    router
      .openapi(searchRoute, async (c) => {
        const { answers: wanted, ...form } = c.req.valid('query')
        const mode = wanted === 'known' ? 'remember' : 'ask'
        const language = preferredLanguage(c.req.header('accept-language') ?? '')
        const found = await asked(catalogue.search(form, mode, language))
        const { books, sources = {}, ...rest } = found
        const isWhole = Object.values(sources).every((state) => state === 'answered')
        const headers = { ...(isWhole ? cached : partial), Vary: 'Origin, Accept-Language' }
        return c.json({ data: { ...rest, books: books.map(shown), sources } }, 200, headers)
      })
      .openapi(isbnRoute, async (c) => {
        const found = await asked(catalogue.byIsbn(c.req.valid('param').isbn))
        if (!found) throw new ApiError(404)
        return c.json({ data: { book: shown(found) } }, 200, cached)
      })
      // Before the route by id, which would take their names for ids.
      .openapi(offersRoute, async (c) => {
        const form = c.req.valid('query')
        const offers = storeOffers(form, await knownIds(form))
        return c.json({ data: { offers } }, 200, cached)
      })
      .openapi(sourcesRoute, async (c) => {
        const form = c.req.valid('query')
        const sources = bookSources(form, await knownIds(form))
        return c.json({ data: { sources } }, 200, cached)
      })
      .openapi(bookRoute, async (c) => {
        const found = await asked(catalogue.byId(c.req.valid('param').id))
        if (!found) throw new ApiError(404)
        return c.json({ data: { book: shown(found) } }, 200, cached)
      })
      .openapi(editionsRoute, async (c) => {
        const found = await asked(catalogue.byId(c.req.valid('param').id))
        if (!found) throw new ApiError(404)
        const editions = await asked(catalogue.editions(found))
        return c.json({ data: { editions: editions.map(shown) } }, 200, cached)
      })
      .openapi(exploreRoute, async (c) => {
        const { classics, manga } = await asked(catalogue.curated())
        return c.json(
          { data: { classics: classics.map(shown), manga: manga.map(shown) } },
          200,
          cached,
        )
      })
  )
}

async function asked<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof CatalogueBusy)
      throw new ApiError(503, 'The catalogue is busy. Please try again in a moment.', {}, error)
    throw error
  }
}

/** Descriptions of other catalogues come with br and p tags; screens show plain text. */
function shown(book: Book): Book {
  return { ...book, description: withoutTags(book.description) }
}

/** A tag that parted two words leaves a space between them. */
function withoutTags(description: string): string {
  return description
    .replace(/(\S)(?:<\/?(?:br|p)\b[^>]*>)+(?=\S)/gi, '$1 ')
    .replace(/<\/?(?:br|p)\b[^>]*>/gi, '')
    .trim()
}
