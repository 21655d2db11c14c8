import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi'
import type { Model, FederatedCatalogue } from '#catalogue/index.ts'
import { ApiError } from '#records/index.ts'
import { okResponses, apiRouter, parseQuery } from '#server/http/api.ts'
import { dataHeaderValues } from '#server/http/headers.ts'
import { searchPageSize } from '#shared/book.ts'
import { searchForm, searchOrTitleForm } from '#shared/search-form.ts'
import {
  orBusyError,
  bookSchema,
  varyByLanguage,
  sharedCacheHeaders,
  matchSchema,
  namedPageSchema,
  noCacheHeaders,
  readersLanguage,
} from './book-responses.ts'

/** Absent if the source is switched off. */
const sourceState = z.enum(['answered', 'silent', 'unasked']).optional()

const searchRoute = createRoute({
  method: 'get',
  path: '/book-info/search',
  summary: 'One page of 18 books by text, title, author, publisher, genre or ISBN',
  request: {
    query: searchOrTitleForm
      .safeExtend({
        /** `known` asks no other catalogue, so the answer comes at once. */
        answers: z.enum(['all', 'known']).default('all'),
        /** `none` answers 200, for browsers, which log every 400 as an error. */
        short_text: z.enum(['400', 'none']).default('400'),
        limit: z.literal(String(searchPageSize), `A page has ${searchPageSize} books.`).optional(),
      })
      .meta(searchForm.meta() ?? {}),
  },
  responses: okResponses(
    'Best first, or newest first',
    z.object({
      books: z.array(bookSchema),
      hasMoreResults: z.boolean(),
      /** On the first page, the series and authors that the text names, if there are any. */
      series: z.array(namedPageSchema).optional(),
      authors: z.array(namedPageSchema).optional(),
      /** The corrected text, if the books match that one. */
      did_you_mean: z.string().optional(),
      /**
       * Present if no book has this name, here or in the sources that answered: the books are close
       * matches or, with `matches`, fit the text as a description.
       */
      absent: z.literal(true).optional(),
      /** Words that the first book doesn't contain or, for a description, that no book contains. */
      left_out: z.array(z.string()).optional(),
      /** Present if the text was taken as a description: why each book matches, by id. */
      matches: z.record(z.string(), matchSchema).optional(),
      /** Present with `matches` if a language model can be asked as well. */
      model: z.object({ name: z.string(), host: z.string() }).optional(),
      sources: z.object({ openlibrary: sourceState, google: sourceState }),
    }),
    404,
  ),
})

const searchQuery = searchRoute.request.query

/**
 * The search route. Its JSON comes from a worker as bytes and isn't parsed again: for a page of 18
 * books (12 KB) that saves the main thread 80 of 115 microseconds.
 */
export function searchRoutes(catalogue: FederatedCatalogue, model?: Model): OpenAPIHono {
  const router: OpenAPIHono = apiRouter()
  const offered = model && { model: { name: model.name, host: model.host } }
  router.openAPIRegistry.registerPath(searchRoute)
  router.get(searchRoute.path, async (c) => {
    const { answers: wanted, short_text: ofShort, limit: _, ...form } = parseQuery(c, searchQuery)
    const mode = wanted === 'known' ? 'cached' : 'fetch'
    const found = await orBusyError(catalogue.searchEncoded(form, mode, readersLanguage(c)))
    // The stricter form has the error message.
    if (found.unanswerable === 'q' && ofShort === '400') parseQuery(c, searchForm)
    if (found.unanswerable === 'after')
      throw new ApiError(404, 'An error occurred while validating the submitted data.', {
        after: {
          code: 'validation_invalid_value',
          message: 'No book of the catalogue has this id. Leave it out to go by the page.',
        },
      })
    const { sources } = found
    const isWhole = Object.values(sources).every((state) => state === 'answered')
    const body = dataOf(found.json, found.hasMatches ? { ...offered, sources } : { sources })
    return new Response(body, { headers: isWhole ? wholeHeaders : partialHeaders })
  })
  return router
}

const always = { 'Content-Type': 'application/json', ...dataHeaderValues, Vary: varyByLanguage }
const wholeHeaders = { ...always, ...sharedCacheHeaders }
const partialHeaders = { ...always, ...noCacheHeaders }

const dataStart = Buffer.from('{"data":')

/**
 * Adds fields to serialized JSON.
 *
 * @param json an object with at least one field
 * @param more the fields to add
 */
function dataOf(json: Uint8Array, more: object): Buffer<ArrayBuffer> {
  const end = Buffer.from(`,${JSON.stringify(more).slice(1)}}`)
  return Buffer.concat([dataStart, json.subarray(0, -1), end])
}
