import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { suggestedBooks, type Model, type FederatedCatalogue } from '#catalogue/index.ts'
import { ApiError } from '#records/index.ts'
import { okResponses, apiRouter } from '#server/http/api.ts'
import { rateLimiter, rateLimits } from '#server/http/rate-limit.ts'
import { searchText } from '#shared/form-fields.ts'
import type { SearchForm } from '#shared/search-form.ts'
import {
  orBusyError,
  bookSchema,
  varyByLanguage,
  matchSchema,
  readersLanguage,
} from './book-responses.ts'
import answers from '#shared/sentences/answers.json' with { type: 'json' }

const describedRoute = createRoute({
  method: 'get',
  path: '/book-info/described',
  summary: 'Finds books for a description with the help of a language model, if there is one',
  request: { query: z.object({ q: searchText(3) }) },
  responses: okResponses(
    'Only books of the catalogue; 404 without a model, 503 if it does not answer',
    z.object({
      books: z.array(bookSchema),
      matches: z.record(z.string(), matchSchema),
      named: z.array(z.string()),
      sent: z.string(),
    }),
    404,
  ),
})

/**
 * The route that asks a language model.
 *
 * @param model without one, nothing is found
 * @param viewerKey the key for rate limits; '' is not limited
 */
export function describeRoutes(
  catalogue: FederatedCatalogue,
  model?: Model,
  viewerKey?: (c: Context) => Promise<string>,
): OpenAPIHono {
  const admit = rateLimiter(rateLimits.model)
  const router: OpenAPIHono = apiRouter()
  return router.openapi(describedRoute, async (c) => {
    const { q } = c.req.valid('query')
    if (!model) throw new ApiError(404)
    await admit((await viewerKey?.(c)) ?? '')
    const idea = await model.ask(q)
    if (!idea) throw new ApiError(503, answers.modelSilent)
    const language = readersLanguage(c)
    const search = (form: SearchForm) => catalogue.search(form, 'cached', language)
    const found = await orBusyError(suggestedBooks({ search }, q, idea))
    const data = { ...found, sent: q }
    const headers = { 'Cache-Control': 'private, max-age=300', Vary: varyByLanguage }
    return c.json({ data }, 200, headers)
  })
}
