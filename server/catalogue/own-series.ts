import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi'
import { sql } from 'kysely'
import type { Catalogue } from '#catalogue/index.ts'
import type { Database } from '#records/index.ts'
import type { LibraryRecords } from '#server/collections/stored.ts'
import { apiRouter, okResponses } from '#server/http/api.ts'
import { readersOnly } from '#server/http/readers-only.ts'
import { query } from '#server/storage/query.ts'
import { directoryForm } from '#shared/directory-form.ts'
import { toIsbn13 } from '#shared/isbn.ts'
import { ownSeriesPageSize } from '#shared/series.ts'
import { orBusyError } from './book-responses.ts'
import { seriesSchema } from './series.ts'

/** More would take the catalogue too long. */
const maxBooks = 10_000

const ownSeriesRoute = createRoute({
  method: 'get',
  path: '/library/series',
  summary: "The series of which the caller has books, by name, in the caller's editions",
  request: { query: directoryForm.pick({ page: true }) },
  responses: okResponses(
    `One page of ${ownSeriesPageSize} series`,
    z.object({ series: z.array(seriesSchema), page: z.number(), hasMore: z.boolean() }),
  ),
})

/** The route of a reader's own series; mounted at /api/v1. */
export function ownSeriesRoutes(deps: {
  catalogue: Pick<Catalogue, 'series' | 'seriesOf'>
  database: Database
  records: Pick<LibraryRecords, 'authenticate'>
}): OpenAPIHono {
  const { catalogue, database, records } = deps
  const router: OpenAPIHono = apiRouter()
  return router.openapi({ ...ownSeriesRoute, ...readersOnly(records) }, async (c) => {
    c.header('Cache-Control', 'no-store')
    const { page } = c.req.valid('query')
    const isbns = await ownIsbns(database, c.get('viewer').id)
    const owned = await orBusyError(catalogue.seriesOf(isbns))
    const start = (page - 1) * ownSeriesPageSize
    const shown = owned
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .slice(start, start + ownSeriesPageSize)
    const found = await orBusyError(
      Promise.all(shown.map((one) => catalogue.series(one.id, one.isbns))),
    )
    const series = found.filter((one) => one !== null)
    const hasMore = owned.length > start + ownSeriesPageSize
    return c.json({ data: { series, page, hasMore } }, 200)
  })
}

async function ownIsbns(database: Database, user: string): Promise<string[]> {
  const rows = await query(
    database,
    sql`SELECT DISTINCT isbn FROM user_books WHERE "user" = ${user} AND isbn <> ''
      ORDER BY isbn LIMIT ${sql.lit(maxBooks)}`,
  )
  return rows.flatMap(([isbn]) => toIsbn13(String(isbn)) ?? [])
}
