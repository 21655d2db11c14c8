import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Catalogue } from '#catalogue/index.ts'
import { ApiError } from '#records/index.ts'
import { apiRouter, movedResponses } from '#server/http/api.ts'
import { limitedText, queryNumber } from '#shared/form-fields.ts'
import { bookSchema, namedPageSchema, orBusyError, sharedCacheHeaders } from './book-responses.ts'

const params = z.object({ id: limitedText(255, 'idTooLong') })

export const seriesSchema = z.object({
  series: namedPageSchema.extend({ authors: z.array(z.string()) }),
  entries: z.array(z.object({ position: z.string(), book: bookSchema })),
})

const seriesRoute = createRoute({
  method: 'get',
  path: '/series/{id}',
  summary: 'A series with its books in order, parts and collections after the volumes',
  request: { params },
  responses: movedResponses('At most 500 books', seriesSchema, 404),
})

const authorRoute = createRoute({
  method: 'get',
  path: '/authors/{id}',
  summary: "An author's books, most read first",
  request: {
    params,
    query: z.object({ page: queryNumber(50).default(1) }),
  },
  responses: movedResponses(
    'One page of 24 books',
    z.object({
      author: namedPageSchema,
      books: z.array(bookSchema),
      total: z.int().openapi({ description: 'Books on all pages, at most 1000' }),
      hasMore: z.boolean(),
    }),
    404,
  ),
})

/** The headers of a redirect from a former id; its body is for callers that don't follow. */
function movedTo(c: Context, kind: 'series' | 'authors', id: string) {
  const { search } = new URL(c.req.url)
  return { ...sharedCacheHeaders, Location: `/api/v1/${kind}/${encodeURIComponent(id)}${search}` }
}

/** Series and authors of the catalogue; mounted at /api/v1. */
export function seriesRoutes(catalogue: Pick<Catalogue, 'series' | 'author'>): OpenAPIHono {
  const router: OpenAPIHono = apiRouter()
  return router
    .openapi(seriesRoute, async (c) => {
      const { id } = c.req.valid('param')
      const found = await orBusyError(catalogue.series(id))
      if (!found) throw new ApiError(404)
      if (found.series.id !== id)
        return c.json({ data: found }, 301, movedTo(c, 'series', found.series.id))
      return c.json({ data: found }, 200, sharedCacheHeaders)
    })
    .openapi(authorRoute, async (c) => {
      const { id } = c.req.valid('param')
      const found = await orBusyError(catalogue.author(id, c.req.valid('query').page))
      if (!found) throw new ApiError(404)
      if (found.author.id !== id)
        return c.json({ data: found }, 301, movedTo(c, 'authors', found.author.id))
      return c.json({ data: found }, 200, sharedCacheHeaders)
    })
}
