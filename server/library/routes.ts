import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi'
import { ApiError, type Database } from '#records/index.ts'
import type { LibraryRecords } from '#server/collections/stored.ts'
import { activityEvents } from '#shared/activity.ts'
import { directoryForm } from '#shared/directory-form.ts'
import { okResponses, apiRouter, emptyResponses, pageFields } from '#server/http/api.ts'
import { isKnownVersion, versionOf } from '#server/http/known-version.ts'
import { access } from '#server/http/openapi.ts'
import { readersOnly } from '#server/http/readers-only.ts'
import { bookMoveForm } from '#shared/book-move-form.ts'
import { goalKinds, outcomes } from '#shared/reading.ts'
import { figureIds, figureUnits, readingPartForm, statisticsForm } from '#shared/statistics.ts'
import { tagListForm } from '#shared/tag-list.ts'
import { statuses } from '#shared/user-book.ts'
import { moveBook } from './book-order.ts'
import { listDiary } from './diary.ts'
import { listReaders, listReaderShelves } from './directory.ts'
import { listGoals } from './goals.ts'
import {
  listTrash,
  restoreForm,
  restoreFromTrash,
  trashCollections,
  trashedRecord,
} from './trash.ts'
import { countMonths } from './months.ts'
import { readNow } from './now.ts'
import { readStatistics } from './statistics.ts'
import { countStatuses } from './status-counts.ts'
import { listTags } from './tags.ts'
import answers from '#shared/sentences/answers.json' with { type: 'json' }

const readers = z.object({
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
      taste: z
        .object({
          in_common: z.number(),
          both_gave: z.object({ title: z.string(), rating: z.number() }).nullable(),
        })
        .optional(),
    }),
  ),
  ...pageFields,
})

const readersRoute = createRoute({
  method: 'get',
  path: '/users',
  summary: 'Readers with a public profile',
  ...access.everybody,
  request: { query: directoryForm },
  responses: okResponses(
    'One page: newest first, by username, or by similar taste with the reason',
    readers,
    401,
  ),
})

const shelves = z.object({
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
  ...pageFields,
})

const shelvesRoute = createRoute({
  method: 'get',
  path: '/users/{username}/shelves',
  summary: "A reader's shelves that the caller can see",
  ...access.everybody,
  request: {
    params: z.object({ username: z.string() }),
    query: directoryForm.pick({ page: true }),
  },
  responses: okResponses('One page, newest first', shelves, 404),
})

const tagsRoute = createRoute({
  method: 'get',
  path: '/users/{username}/tags',
  summary: "The tags of a reader's books that the caller can see",
  ...access.everybody,
  request: { params: z.object({ username: z.string() }), query: tagListForm },
  responses: okResponses(
    'One page, most used first, with the number of books',
    z.object({
      items: z.array(z.object({ tag: z.string(), books: z.number() })),
      page: z.number(),
      hasMore: z.boolean(),
    }),
    404,
  ),
})

const diary = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      started: z.string(),
      finished: z.string(),
      outcome: z.enum(outcomes),
      pages: z.number(),
      rating: z.number(),
      book: z.object({
        id: z.string(),
        title: z.string(),
        authors: z.array(z.string()),
        isbn: z.string(),
        images: z.array(z.string()),
      }),
    }),
  ),
  page: z.number(),
  hasMore: z.boolean(),
})

const diaryRoute = createRoute({
  method: 'get',
  path: '/users/{username}/diary',
  summary: 'The finished and stopped readings of a reader that the caller can see',
  ...access.everybody,
  request: {
    params: z.object({ username: z.string() }),
    query: directoryForm.pick({ page: true }).extend(readingPartForm.shape),
  },
  responses: okResponses('One page, latest first', diary, 404),
})

const statistics = z.object({
  figures: z.array(
    z.object({
      id: z.enum(figureIds),
      value: z.number(),
      unit: z.enum(figureUnits),
      of: z.enum(['readings', 'user_books', '']),
      filter: z.string(),
      parts: z.array(z.object({ key: z.string(), value: z.number(), filter: z.string() })),
    }),
  ),
})

const statisticsRoute = createRoute({
  method: 'get',
  path: '/users/{username}/stats',
  summary: "The figures of a reader's year, or of all time",
  description:
    'Where `unit` is `count` and `of` names a collection, its records under `filter` are as many as `value`; `parts` holds the same for each bar. Keys are the same in every language. `by_genre` and `by_author` have the 50 most read. `by_published` is by decade, and `by_status` is what the books are now, without a year or other choice. What the progress log tells is for its owner alone. `format`, `genre`, `tag` and `shelf` (an id) say which books count; no filter of `readings` says the last two, so `of` is empty then, and the diary lists the readings.',
  ...access.everybody,
  request: { params: z.object({ username: z.string() }), query: statisticsForm },
  responses: okResponses('All figures', statistics, 404),
})

const monthsRoute = createRoute({
  method: 'get',
  path: '/users/{username}/months',
  summary: 'How many books a reader has finished in each of the last twelve months',
  ...access.everybody,
  request: { params: z.object({ username: z.string() }) },
  responses: okResponses(
    'Of those that the caller can see, the earliest month first',
    z.object({ items: z.array(z.object({ month: z.string(), books: z.number() })) }),
    404,
  ),
})

const goal = z.object({
  id: z.string(),
  kind: z.enum(goalKinds),
  target: z.number(),
  from: z.string(),
  to: z.string(),
  year: z.number(),
  filter: z.string(),
  isPrivate: z.boolean(),
  value: z.number(),
  plan: z.number(),
  counted: z.string(),
})

const goals = z.object({ today: z.string(), goals: z.array(goal) })

const nowAnswer = z.object({
  reading: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      authors: z.array(z.string()),
      cover: z.string(),
      page: z.number(),
      pages: z.number(),
      percent: z.number(),
    }),
  ),
  year: z.object({ books: z.number(), pages: z.number() }),
  goals: z.array(goal),
})

const goalsRoute = createRoute({
  method: 'get',
  path: '/users/{username}/goals',
  summary: "A reader's goals that the caller can see, and how far they are",
  description:
    'The 20 that end last, latest first. `value` is how many books, pages or minutes there are by now, `plan` how many there would be at an even pace. The records of `readings` under `counted` are those that count; of `books` they are as many as `value`. A goal that others can see counts what they can see.',
  ...access.everybody,
  request: { params: z.object({ username: z.string() }) },
  responses: okResponses('All goals', goals, 404),
})

const nowRoute = createRoute({
  method: 'get',
  path: '/me/now',
  summary: 'What the caller is reading, this year’s books and pages, and current goals',
  description:
    'One cheap answer for dashboards: the 20 books being read that changed last, what was finished this year as the statistics count it, and the goals that include today. `cover` is a path of this site, or empty. With the `ETag` of an earlier answer as `If-None-Match` it is 304 until something changes.',
  responses: {
    ...okResponses('The caller’s own, private books included', nowAnswer),
    304: { description: 'Nothing has changed' },
  },
})

const orderRoute = createRoute({
  method: 'post',
  path: '/library/order',
  summary: "Moves a book within the caller's own order of a shelf or of Up next",
  request: {
    body: { required: true, content: { 'application/json': { schema: bookMoveForm } } },
  },
  responses: emptyResponses('It is there', 404),
})

const removedItems = z.object({
  items: z.array(
    z.object({
      collection: z.enum(trashCollections),
      id: z.string(),
      name: z.string(),
      shelf: z.string(),
      authors: z.array(z.string()),
      cover: z.string(),
      quoted: z.string(),
      started: z.string(),
      finished: z.string(),
      outcome: z.enum([...outcomes, '']),
      books: z.number(),
      entry: z
        .object({
          event_type: z.enum(activityEvents),
          data: z.object({
            title: z.string(),
            shelf: z.string(),
            progress: z.number(),
            percent: z.number().optional(),
          }),
        })
        .nullable(),
      removed: z.string(),
      ends: z.string(),
    }),
  ),
})

const statusesRoute = createRoute({
  method: 'get',
  path: '/library/statuses',
  summary: "How many of the caller's books have each status",
  responses: okResponses(
    'A book counts once for each shelf it is on',
    z.record(z.enum(statuses), z.number()),
  ),
})

const removedRoute = createRoute({
  method: 'get',
  path: '/library/removed',
  summary: 'What the caller removed in the last 30 days and can restore',
  responses: okResponses('Newest first', removedItems),
})

const restoreRoute = createRoute({
  method: 'post',
  path: '/library/restore',
  summary: 'Restores removed records, all of them or none, with the same ids',
  request: {
    body: { required: true, content: { 'application/json': { schema: restoreForm } } },
  },
  responses: emptyResponses('It is back', 404, 409),
})

const forgetRoute = createRoute({
  method: 'delete',
  path: '/library/removed/{collection}/{id}',
  summary: 'Permanently deletes something that the caller removed',
  request: {
    params: trashedRecord,
  },
  responses: emptyResponses('Deleted, with its files', 404),
})

const forgetAllRoute = createRoute({
  method: 'delete',
  path: '/library/removed',
  summary: 'Permanently deletes everything that the caller removed',
  responses: emptyResponses('Deleted, with its files'),
})

/** The routes about readers and their shelves; mounted at /api/v1. */
export function libraryRoutes(deps: {
  database: Database
  records: Pick<LibraryRecords, 'authenticate' | 'listTrash' | 'total' | 'write'>
  now?: (() => Date) | undefined
}): OpenAPIHono {
  const { database, records, now = () => new Date() } = deps
  const forReaders = readersOnly(records)
  const router: OpenAPIHono = apiRouter()
  return router
    .openapi({ ...removedRoute, ...forReaders }, async (c) => {
      const items = await listTrash(database, records, c.get('viewer').id)
      return c.json({ data: { items } }, 200, { 'Cache-Control': 'no-store' })
    })
    .openapi({ ...nowRoute, ...forReaders }, async (c) => {
      const data = await readNow(database, records, c.get('viewer'), now())
      const etag = `"${versionOf(JSON.stringify(data))}"`
      const headers = { 'Cache-Control': 'no-store', ETag: etag }
      if (isKnownVersion(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers)
      return c.json({ data }, 200, headers)
    })
    .openapi({ ...statusesRoute, ...forReaders }, async (c) => {
      const data = await countStatuses(database, c.get('viewer').id)
      return c.json({ data }, 200, { 'Cache-Control': 'no-store' })
    })
    .openapi({ ...restoreRoute, ...forReaders }, async (c) => {
      await restoreFromTrash(records, c.get('viewer').id, c.req.valid('json'))
      return c.body(null, 204)
    })
    .openapi({ ...orderRoute, ...forReaders }, async (c) => {
      await moveBook(records, c.get('viewer').id, c.req.valid('json'))
      return c.body(null, 204)
    })
    .openapi({ ...forgetRoute, ...forReaders }, async (c) => {
      const one = c.req.valid('param')
      await records.write((tx) => tx.emptyTrash(c.get('viewer').id, one))
      return c.body(null, 204)
    })
    .openapi({ ...forgetAllRoute, ...forReaders }, async (c) => {
      await records.write((tx) => tx.emptyTrash(c.get('viewer').id))
      return c.body(null, 204)
    })
    .openapi(readersRoute, async (c) => {
      const form = c.req.valid('query')
      const viewer = await records.authenticate(c.req.raw)
      c.header('Cache-Control', 'no-store')
      return c.json({ data: await listReaders(database, form, viewer?.id ?? '') }, 200)
    })
    .openapi(shelvesRoute, async (c) => {
      const viewer = await records.authenticate(c.req.raw)
      const { username } = c.req.valid('param')
      const { page } = c.req.valid('query')
      const data = await listReaderShelves(database, username, viewer?.id ?? '', page)
      if (!data) throw new ApiError(404, answers.profileNotFound)
      c.header('Cache-Control', 'no-store')
      return c.json({ data }, 200)
    })
    .openapi(tagsRoute, async (c) => {
      const viewer = await records.authenticate(c.req.raw)
      const { username } = c.req.valid('param')
      const form = c.req.valid('query')
      const data = await listTags(database, username, viewer?.id ?? '', form)
      if (!data) throw new ApiError(404, answers.profileNotFound)
      c.header('Cache-Control', 'no-store')
      return c.json({ data }, 200)
    })
    .openapi(diaryRoute, async (c) => {
      const viewer = await records.authenticate(c.req.raw)
      const { username } = c.req.valid('param')
      const data = await listDiary(database, username, viewer?.id ?? '', c.req.valid('query'))
      if (!data) throw new ApiError(404, answers.profileNotFound)
      c.header('Cache-Control', 'no-store')
      return c.json({ data }, 200)
    })
    .openapi(statisticsRoute, async (c) => {
      const viewer = await records.authenticate(c.req.raw)
      const { username } = c.req.valid('param')
      const form = c.req.valid('query')
      const data = await readStatistics(database, username, viewer?.id ?? '', form, now())
      if (!data) throw new ApiError(404, answers.profileNotFound)
      c.header('Cache-Control', 'no-store')
      return c.json({ data }, 200)
    })
    .openapi(monthsRoute, async (c) => {
      const viewer = await records.authenticate(c.req.raw)
      const { username } = c.req.valid('param')
      const items = await countMonths(database, username, viewer?.id ?? '', now())
      if (!items) throw new ApiError(404, answers.profileNotFound)
      c.header('Cache-Control', 'no-store')
      return c.json({ data: { items } }, 200)
    })
    .openapi(goalsRoute, async (c) => {
      const viewer = await records.authenticate(c.req.raw)
      const { username } = c.req.valid('param')
      const data = await listGoals(database, records, username, viewer, now())
      if (!data) throw new ApiError(404, answers.profileNotFound)
      c.header('Cache-Control', 'no-store')
      return c.json({ data }, 200)
    })
}
