import { createRoute, z } from '@hono/zod-openapi'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Model, FederatedCatalogue } from '#catalogue/index.ts'
import { bookSources, storeOffers } from '#catalogue/index.ts'
import { ApiError } from '#records/index.ts'
import { okResponses, apiRouter } from '#server/http/api.ts'
import { isbnText, limitedText, queryNumber } from '#shared/form-fields.ts'
import { offerForm } from '#shared/offer-form.ts'
import { offerKinds, type OfferForm } from '#shared/offer.ts'
import {
  orBusyError,
  bookSchema,
  sharedCacheHeaders,
  matchSchema,
  noCacheHeaders,
} from './book-responses.ts'
import { describeRoutes } from './describe.ts'
import type { CoReadsOfReaders } from './public-shelves.ts'
import { searchRoutes } from './search.ts'
import { seriesRoutes } from './series.ts'
import { similarBooks } from './similar.ts'

const bookId = limitedText(255, 'idTooLong')

const similarRoute = createRoute({
  method: 'get',
  path: '/book-info/{id}/similar',
  summary:
    'Similar books: those that readers shelve with it, those on the same to-read lists in goodbooks-10k, then those on the same subjects',
  request: { params: z.object({ id: bookId }) },
  responses: okResponses(
    'At most 12 books',
    z.object({
      books: z.array(bookSchema),
      readers: z.record(z.string(), z.number()),
      listed: z.array(z.string()),
      matches: z.record(z.string(), matchSchema),
    }),
    404,
  ),
})

const isbnRoute = createRoute({
  method: 'get',
  path: '/book-info/isbn/{isbn}',
  summary: 'The book with an ISBN-10 or ISBN-13',
  request: {
    params: z.object({ isbn: isbnText }),
    query: z.object({
      /** `null` answers 200 without a book, for browsers, which log every 404 as an error. */
      unknown: z.enum(['404', 'null']).default('404'),
    }),
  },
  responses: okResponses('The book', z.object({ book: z.union([bookSchema, z.null()]) }), 404),
})

const bookRoute = createRoute({
  method: 'get',
  path: '/book-info/{id}',
  summary: "The book with the catalogue's own id",
  request: { params: z.object({ id: bookId }) },
  responses: okResponses('The book', z.object({ book: bookSchema }), 404),
})

const editionsRoute = createRoute({
  method: 'get',
  path: '/book-info/{id}/editions',
  summary: 'Other editions of the same work, the latest first',
  request: { params: z.object({ id: bookId }) },
  responses: okResponses('At most 50 books', z.object({ editions: z.array(bookSchema) }), 404),
})

const link = z.string().optional()

const offersRoute = createRoute({
  method: 'get',
  path: '/book-info/offers',
  summary: 'Stores and libraries that may have a book, with a link for each format',
  request: { query: offerForm },
  responses: okResponses(
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
    404,
  ),
})

const sourcesRoute = createRoute({
  method: 'get',
  path: '/book-info/sources',
  summary: 'Other catalogues that describe a book',
  request: { query: offerForm },
  responses: okResponses(
    'One link per catalogue',
    z.object({
      sources: z.array(z.object({ name: z.enum(['google', 'openlibrary']), link: z.string() })),
    }),
    404,
  ),
})

const exploreRoute = createRoute({
  method: 'get',
  path: '/explore',
  summary: 'The books shown before a search',
  request: {
    query: z.object({
      /** How many books of each section; all if absent. */
      limit: queryNumber(1000).optional(),
    }),
  },
  responses: okResponses(
    'The two curated sections, best known first',
    z.object({ classics: z.array(bookSchema), manga: z.array(bookSchema) }),
  ),
})

/** Optional sources of richer answers. */
export interface BookInfoOptions {
  model?: Model | undefined
  coReads?: CoReadsOfReaders | undefined
  /** The key by which requests to the model are rate-limited; '' is not limited. */
  viewerKey?: (c: Context) => Promise<string>
}

/** The catalogue's routes; mounted at /api/v1. */
export function bookInfoRoutes(
  catalogue: FederatedCatalogue,
  helpers: BookInfoOptions = {},
): OpenAPIHono {
  const { model, coReads, viewerKey } = helpers
  const router: OpenAPIHono = apiRouter()
  const knownIds = async ({ isbn }: OfferForm) =>
    isbn ? (await orBusyError(catalogue.known(isbn)))?.ids : undefined
  return (
    router
      // Before the route by id, which would match their names.
      .route('/', searchRoutes(catalogue, model))
      .route('/', describeRoutes(catalogue, model, viewerKey))
      .route('/', seriesRoutes(catalogue))
      .openapi(similarRoute, async (c) => {
        const found = await orBusyError(catalogue.byId(c.req.valid('param').id))
        if (!found) throw new ApiError(404)
        const similar = await orBusyError(similarBooks(catalogue, coReads, found))
        return c.json({ data: similar }, 200, noCacheHeaders)
      })
      .openapi(isbnRoute, async (c) => {
        const found = await orBusyError(catalogue.byIsbn(c.req.valid('param').isbn))
        if (found) return c.json({ data: { book: found } }, 200, sharedCacheHeaders)
        if (c.req.valid('query').unknown === 'null') return c.json({ data: { book: null } }, 200)
        throw new ApiError(404)
      })
      .openapi(offersRoute, async (c) => {
        const form = c.req.valid('query')
        const offers = storeOffers(form, await knownIds(form))
        return c.json({ data: { offers } }, 200, sharedCacheHeaders)
      })
      .openapi(sourcesRoute, async (c) => {
        const form = c.req.valid('query')
        const sources = bookSources(form, await knownIds(form))
        return c.json({ data: { sources } }, 200, sharedCacheHeaders)
      })
      .openapi(bookRoute, async (c) => {
        const found = await orBusyError(catalogue.byId(c.req.valid('param').id))
        if (!found) throw new ApiError(404)
        return c.json({ data: { book: found } }, 200, sharedCacheHeaders)
      })
      .openapi(editionsRoute, async (c) => {
        const found = await orBusyError(catalogue.byId(c.req.valid('param').id))
        if (!found) throw new ApiError(404)
        const editions = await orBusyError(catalogue.editions(found))
        return c.json({ data: { editions } }, 200, sharedCacheHeaders)
      })
      .openapi(exploreRoute, async (c) => {
        const { limit } = c.req.valid('query')
        const { classics, manga } = await orBusyError(catalogue.curated())
        const data = { classics: classics.slice(0, limit), manga: manga.slice(0, limit) }
        return c.json({ data }, 200, sharedCacheHeaders)
      })
  )
}
