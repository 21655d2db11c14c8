import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi'
import { LRUCache } from 'lru-cache'
import { drawYear, maxYearBooks, type YearPicture } from '#catalogue/index.ts'
import { ApiError, type Database } from '#records/index.ts'
import type { LibraryRecords } from '#server/collections/stored.ts'
import { apiRouter, okResponses } from '#server/http/api.ts'
import { isKnownVersion, versionOf } from '#server/http/known-version.ts'
import { access } from '#server/http/openapi.ts'
import { readYear, type Year } from '#server/library/year.ts'
import { readerLanguage } from '#server/mail/reader-language.ts'
import { messagesIn } from '#server/runtime/messages.ts'
import { directionOf, type Language } from '#shared/language.ts'
import { partialDateText } from '#shared/partial-date.ts'
import { isPeriod } from '#shared/period.ts'
import type messages from './messages/en.json'
import { previewBook } from './preview-book.ts'
import answers from '#shared/sentences/answers.json' with { type: 'json' }

/** The size of the cache of pictures, up to 1 MB each. */
const maxCached = 60

const message = messagesIn<keyof typeof messages>(new URL('./messages/', import.meta.url))

const pictureRoute = createRoute({
  method: 'get',
  path: '/users/{username}/year/{file}',
  summary: "A picture of a reader's year or month, to share",
  description:
    "`2024.png` is a year, `2024-03.png` a month. It is in the reader's language, and shows the books that the caller can see. `wide` is 1200 by 630 pixels, `tall` 1080 by 1920.",
  ...access.everybody,
  request: {
    params: z.object({ username: z.string(), file: z.string() }),
    query: z.object({ size: z.enum(['wide', 'tall']).default('wide') }),
  },
  responses: {
    ...okResponses('', z.never(), 404),
    200: { description: 'A PNG', content: { 'image/png': {} } },
    304: { description: 'The version in If-None-Match is still current' },
  },
})

/**
 * The pictures of readers' years and months. The cache key is all that a picture shows, so no
 * picture outlives its data or is shown to somebody else.
 *
 * @param deps.fetch calls the server in process, for covers
 */
export function yearPictureRoutes(deps: {
  fetch: (request: Request) => Promise<Response>
  database: Database
  records: Pick<LibraryRecords, 'authenticate'>
  origin: string
}): OpenAPIHono {
  const { database, records } = deps
  const pictures = new LRUCache<string, Promise<Uint8Array>>({ max: maxCached })
  const router: OpenAPIHono = apiRouter()
  return router.openapi(pictureRoute, async (c) => {
    const { username, file } = c.req.valid('param')
    const { size } = c.req.valid('query')
    const period = file.replace(/\.png$/, '')
    if (period === file || !isPeriod(period)) throw new ApiError(404)
    const viewer = await records.authenticate(c.req.raw)
    const year = await readYear(database, username, viewer?.id ?? '', period, maxYearBooks)
    if (!year) throw new ApiError(404, answers.profileNotFound)
    const { id } = year.reader
    const language = await readerLanguage(database, id, id === viewer?.id)
    const shown = { period, language, size, ...year }
    const key = versionOf(JSON.stringify(shown))
    const headers = {
      'Content-Type': 'image/png',
      // Revalidated each time, so that what a reader hides disappears at once.
      'Cache-Control': 'private, no-cache',
      ETag: `"${key}"`,
    }
    if (isKnownVersion(c.req.header('if-none-match'), headers.ETag))
      return c.body(null, 304, headers)

    async function draw(): Promise<Uint8Array> {
      const { entries } = year!
      const own = callerHeaders(c.req.raw)
      const books = await Promise.all(
        entries.toReversed().map(async ({ book, pages }) => {
          // Spines show no cover.
          const images = size === 'tall' ? book.images : []
          return { ...(await previewBook(deps, { ...book, images }, 350, own)), pages }
        }),
      )
      return drawYear({ ...textsOf(year!, period, language), books }, size)
    }
    const picture = pictures.get(key) ?? draw()
    pictures.set(key, picture)
    // Don't cache failures.
    picture.catch(() => pictures.delete(key))
    return c.body(new Uint8Array(await picture), 200, headers)
  })
}

/** @returns what says who asks, for covers that only they can see */
function callerHeaders({ headers }: Request): Record<string, string> {
  return Object.fromEntries(
    ['cookie', 'authorization'].flatMap((name) => {
      const value = headers.get(name)
      return value ? [[name, value]] : []
    }),
  )
}

/** @returns what a picture says, such as “40 books, 12,740 pages, and 39 hours of listening” */
function textsOf(
  { reader, books, pages, minutes }: Year,
  period: string,
  language: Language,
): Omit<YearPicture, 'books'> {
  const sums = [
    message(language, 'books', { count: books }),
    ...(pages > 0 ? [message(language, 'pages', { count: pages })] : []),
    ...(minutes > 0 ? [message(language, 'hours', { count: Math.round(minutes / 60) })] : []),
  ]
  return {
    title: partialDateText(period, language),
    sum: new Intl.ListFormat(language).format(sums),
    username: reader.username,
    direction: directionOf(language),
  }
}
