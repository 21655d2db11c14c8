import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi'
import type { FederatedCatalogue } from '#catalogue/index.ts'
import type { Database } from '#records/index.ts'
import { apiRouter, okResponses } from '#server/http/api.ts'
import { readersOnly } from '#server/http/readers-only.ts'
import type { LibraryRecords } from '#server/collections/stored.ts'
import { externalSources } from '#shared/book.ts'
import type { Completion } from '#shared/completion.ts'
import { storedText } from '#shared/form-fields.ts'
import { countQueued, queueIncomplete } from '#server/library/completion-queue.ts'

const completion = z.object({
  isOn: z.boolean(),
  sources: z.array(z.enum(externalSources)),
  waiting: z.number().int(),
})

const progressRoute = createRoute({
  method: 'get',
  path: '/account/completion',
  summary: "How many of the caller's books wait for missing covers and facts",
  request: { query: z.object({ import: storedText(40, 'idTooLong').optional() }) },
  responses: okResponses('All that wait, or those of an import', completion),
})

const queueRoute = createRoute({
  method: 'post',
  path: '/account/completion',
  summary: "Looks up what the caller's books lack",
  responses: okResponses(
    'Queued: the books with an ISBN or an author that lack a cover or a description',
    completion,
  ),
})

/** The routes about completing the caller's books; mounted at /api/v1. */
export function completionRoutes(deps: {
  database: Database
  records: Pick<LibraryRecords, 'authenticate' | 'write'>
  /** Whether books are completed on this site. */
  isOn: boolean
  catalogue: Pick<FederatedCatalogue, 'sources'>
}) {
  const { database, records, isOn } = deps
  const sources = deps.catalogue.sources.map(({ name }) => name)
  const forReaders = readersOnly(records)
  const stateOf = async (user: string, importId?: string): Promise<{ data: Completion }> => ({
    data: { isOn, sources, waiting: await countQueued(database, user, importId) },
  })
  const router: OpenAPIHono = apiRouter()
  return router
    .openapi({ ...progressRoute, ...forReaders }, async (c) => {
      const state = await stateOf(c.get('viewer').id, c.req.valid('query').import)
      return c.json(state, 200, { 'Cache-Control': 'no-store' })
    })
    .openapi({ ...queueRoute, ...forReaders }, async (c) => {
      const { id } = c.get('viewer')
      if (isOn) await records.write((tx) => queueIncomplete(tx, id))
      return c.json(await stateOf(id), 200)
    })
}
