import { createRoute, z } from '@hono/zod-openapi'
import { ApiError, type Database, type Records } from '#records/index.ts'
import { directoryForm } from '#shared/directory.ts'
import { apiRouter } from '#server/http/api.ts'
import { listReaders, listReaderShelves } from './directory.ts'

const page = {
  page: z.number(),
  perPage: z.number(),
  totalItems: z.number(),
  totalPages: z.number(),
}

const readers = z.object({
  data: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        collectionId: z.string(),
        username: z.string(),
        name: z.string(),
        avatar: z.string(),
        books_count: z.number(),
        shelves_count: z.number(),
        books: z.array(
          z.object({
            title: z.string(),
            authors: z.array(z.string()),
            images: z.array(z.string()),
            isbn: z.string(),
          }),
        ),
      }),
    ),
    ...page,
  }),
})

const readersRoute = createRoute({
  method: 'get',
  path: '/users',
  summary: 'Readers with a public profile',
  request: { query: directoryForm },
  responses: {
    200: {
      description: 'One page, newest first or by username',
      content: { 'application/json': { schema: readers } },
    },
  },
})

const shelves = z.object({
  data: z.object({
    user: z.object({ id: z.string(), username: z.string() }),
    items: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        visibility: z.enum(['public', 'private']),
        book_count: z.number(),
        covers: z.array(z.string()),
        created: z.string(),
      }),
    ),
    ...page,
  }),
})

const shelvesRoute = createRoute({
  method: 'get',
  path: '/users/{username}/shelves',
  summary: "A reader's shelves that the caller may see",
  request: {
    params: z.object({ username: z.string() }),
    query: directoryForm.pick({ page: true }),
  },
  responses: {
    200: {
      description: 'One page, newest first',
      content: { 'application/json': { schema: shelves } },
    },
  },
})

/** The product's own calls about readers and their shelves; to be mounted at /api/v1. */
export function libraryRoutes(deps: {
  database: Database
  records: Pick<Records, 'authenticate'>
}) {
  const { database, records } = deps
  return apiRouter()
    .openapi(readersRoute, async (c) => {
      c.header('Cache-Control', 'no-store')
      return c.json({ data: await listReaders(database, c.req.valid('query')) }, 200)
    })
    .openapi(shelvesRoute, async (c) => {
      const viewer = await records.authenticate(c.req.raw)
      const { username } = c.req.valid('param')
      const { page } = c.req.valid('query')
      const data = await listReaderShelves(database, username, viewer?.id ?? '', page)
      if (!data) throw new ApiError(404, 'User profile not found.')
      c.header('Cache-Control', 'no-store')
      return c.json({ data }, 200)
    })
}
