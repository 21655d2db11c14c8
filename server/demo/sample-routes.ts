import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi'
import { apiRouter, okResponses } from '#server/http/api.ts'
import { access } from '#server/http/openapi.ts'
import { importRowStates } from '#shared/import.ts'
import type { SampleLibrary } from '#shared/sample-library.ts'
import { readSampleLibrary, type SampleDeps } from './sample-library.ts'

const bookSchema = z.object({
  title: z.string(),
  author: z.string(),
  cover: z.string(),
  pages: z.number(),
  slug: z.string(),
})

const sampleRoute = createRoute({
  method: 'get',
  path: '/sample',
  summary: 'A Goodreads file of a sample reader, imported, and their year',
  ...access.everybody,
  responses: okResponses(
    'What the import found, and what the statistics make of it; null while it is being read, which begins when somebody first asks',
    z
      .object({
        rows: z.number(),
        matched: z.number(),
        examples: z.array(
          z.object({
            title: z.string(),
            author: z.string(),
            isbn: z.string(),
            state: z.enum(importRowStates),
            book: bookSchema.nullable(),
          }),
        ),
        year: z.string(),
        books: z.number(),
        pages: z.number(),
        months: z.array(z.number()),
        finished: z.array(bookSchema),
        best: z.array(z.string()),
      })
      .nullable(),
  ),
})

/**
 * The sample library: read when somebody first asks for it, and kept. Nobody waits for it, as it can
 * take seconds on a small machine.
 */
export function sampleRoutes({ log, ...deps }: SampleDeps): {
  router: OpenAPIHono
  close: () => Promise<void>
} {
  let sample: SampleLibrary | null = null
  let reading: Promise<void> | undefined
  async function read(): Promise<void> {
    try {
      sample = await readSampleLibrary({ ...deps, log })
    } catch (error) {
      log.error({ err: error }, 'failed to read the sample library')
    }
  }
  const router: OpenAPIHono = apiRouter()
  router.openapi(sampleRoute, (c) => {
    reading ??= read()
    return c.json({ data: sample }, 200)
  })
  return { router, close: async () => reading }
}
