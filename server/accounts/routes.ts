import { Readable } from 'node:stream'
import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import {
  ApiError,
  expiredCookie,
  type Database,
  type FileStorage,
  type Viewer,
} from '#records/index.ts'
import { accountOf, type LibraryRecords } from '#server/collections/stored.ts'
import { okResponses, apiRouter, emptyResponses } from '#server/http/api.ts'
import { access } from '#server/http/openapi.ts'
import { readersOnly } from '#server/http/readers-only.ts'
import { isCodeLate } from '#server/mail/outbox.ts'
import { storedText } from '#shared/form-fields.ts'
import { exportAccount, picturesOf } from './export.ts'
import { exportTable } from './export-table.ts'
import { exportZip } from './export-zip.ts'
import { currentUsername } from './former-usernames.ts'
import { resetAccount } from './reset.ts'
import { tableFormats } from './table-formats.ts'
import answers from '#shared/sentences/answers.json' with { type: 'json' }

const csv = 'text/csv; charset=utf-8'
const zip = 'application/zip'

/** Everything as JSON or with pictures as ZIP, or a table in another tracker's format. */
const exportFormats = ['json', 'zip', ...Object.keys(tableFormats)] as const
type ExportFormat = 'json' | 'zip' | keyof typeof tableFormats

const file = (type: string, description: string) => ({
  200: { description, content: { [type]: {} } },
})

const logoutRoute = createRoute({
  method: 'post',
  path: '/auth/logout',
  summary: 'Ends the session, here and on the server',
  ...access.everybody,
  responses: emptyResponses('Signed out, or there was no session'),
})

const mfaId = storedText(255, 'idTooLong')

const mailRoute = createRoute({
  method: 'post',
  path: '/auth/mail',
  summary: 'Whether a code is delayed by the mail server',
  request: {
    body: {
      required: true,
      content: { 'application/json': { schema: z.object({ mfaId }) } },
    },
  },
  responses: okResponses(
    'For the given sign-in; false if it does not exist',
    z.object({ isLate: z.boolean() }),
  ),
})

const resetRoute = createRoute({
  method: 'post',
  path: '/account/reset',
  summary: "Clears the caller's books, activities and reading progress",
  responses: emptyResponses('Deleted'),
})

const exportRoute = createRoute({
  method: 'get',
  path: '/account/export',
  summary: "Downloads all the caller's data, or their books for another tracker",
  request: {
    query: z.object({
      format: z
        .enum(exportFormats, { error: `Choose one of ${exportFormats.join(', ')}.` })
        .default('json'),
    }),
  },
  responses: {
    ...okResponses('', z.never(), 400),
    200: {
      description:
        'JSON has the account, settings, shelves, books, readings, activities, imports, what was removed and can come back, where they are signed in, and addresses of pictures; ZIP has the same with the pictures. The others are tables of the books as that tracker writes them.',
      content: { 'application/json': {}, [zip]: {}, [csv]: {} },
    },
  },
})

const booksRoute = createRoute({
  method: 'get',
  path: '/account/export.csv',
  summary: "The caller's books as a table with the columns of Goodreads",
  responses: file(csv, 'One line for each book'),
})

/** Usernames have only letters, digits, dots, underscores and hyphens. */
const fileName = (viewer: Viewer) => `octavo-${accountOf(viewer).username}`

/** Without the mark Excel reads a table as if it weren't Unicode. */
async function* withMark(table: AsyncIterable<string>): AsyncGenerator<string> {
  yield '\uFEFF'
  yield* table
}

/** Sends a file while it is written. */
function download(
  c: Context,
  pieces: AsyncIterable<string> | Readable,
  name: string,
  type: string,
) {
  const body = Readable.toWeb(
    pieces instanceof Readable ? pieces : Readable.from(pieces, { objectMode: false }),
  )
  return c.body(body as ReadableStream<Uint8Array>, 200, {
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="${name}"`,
    'Cache-Control': 'no-store',
  })
}

const usernameRoute = createRoute({
  method: 'get',
  path: '/usernames/{username}',
  summary: 'The current username of a reader who had this one in the last 30 days',
  ...access.everybody,
  request: { params: z.object({ username: z.string() }) },
  responses: okResponses(
    'A reader whose profile the caller can see',
    z.object({ username: z.string() }),
    404,
  ),
})

/** The routes about accounts, most of them the caller's; mounted at /api/v1. */
export function accountRoutes(deps: {
  database: Database
  records: LibraryRecords
  /** The storage of pictures. */
  storage: Pick<FileStorage, 'read'>
  appUrl: string
  now?: (() => Date) | undefined
}) {
  const { database, records, storage, appUrl, now = () => new Date() } = deps
  const signedOut = {
    'Set-Cookie': expiredCookie(appUrl.startsWith('https:')),
    'Cache-Control': 'no-store',
  }
  const forReaders = readersOnly(records)
  const router: OpenAPIHono = apiRouter()
  return router
    .openapi(logoutRoute, async (c) => {
      const viewer = await records.authenticate(c.req.raw, 'session')
      if (viewer) await records.endSession(viewer)
      return c.body(null, 204, signedOut)
    })
    .openapi(mailRoute, async (c) => {
      const account = await records.findMfaAccount('users', c.req.valid('json').mfaId)
      const reader = account && (await records.find('users', account))
      const isLate = reader ? await isCodeLate(database, reader.email) : false
      return c.json({ data: { isLate } }, 200, { 'Cache-Control': 'no-store' })
    })
    .openapi({ ...resetRoute, ...readersOnly(records, 'session') }, async (c) => {
      const viewer = c.get('viewer')
      await resetAccount(records, viewer.id)
      return c.body(null, 204)
    })
    .openapi({ ...exportRoute, ...forReaders }, async (c) => {
      const viewer = c.get('viewer')
      const format = c.req.valid('query').format as ExportFormat
      if (format !== 'json' && format !== 'zip') {
        const pieces = exportTable(records, viewer.id, format)
        return download(c, withMark(pieces), `${fileName(viewer)}-${format}.csv`, csv)
      }
      const pieces = exportAccount(records, viewer, appUrl, now())
      if (format === 'json')
        return download(c, pieces, `${fileName(viewer)}.json`, 'application/json')
      const pictures = picturesOf(records, viewer.id)
      return download(c, exportZip(storage, pieces, pictures), `${fileName(viewer)}.zip`, zip)
    })
    .openapi({ ...booksRoute, ...forReaders }, async (c) => {
      const viewer = c.get('viewer')
      return download(
        c,
        withMark(exportTable(records, viewer.id, 'goodreads')),
        `${fileName(viewer)}.csv`,
        csv,
      )
    })
    .openapi(usernameRoute, async (c) => {
      const viewer = await records.authenticate(c.req.raw)
      const { username: asked } = c.req.valid('param')
      const username = await currentUsername(database, asked, viewer?.id ?? '', now())
      if (username === null) throw new ApiError(404, answers.profileNotFound)
      c.header('Cache-Control', 'no-store')
      return c.json({ data: { username } }, 200)
    })
}
