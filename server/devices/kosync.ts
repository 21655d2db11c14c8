import { sql } from 'kysely'
import { Hono, type Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import * as z from 'zod'
import { type Database } from '#records/index.ts'
import type { LibraryRecords } from '#server/collections/stored.ts'
import { selectBy } from '#server/collections/select.ts'
import { numberText } from '#shared/form-fields.ts'
import { cutText, withoutZeros } from '#shared/text.ts'
import type { SignedIn, SignIn } from './sign-in.ts'
import { storePush, touch } from './store-push.ts'

/** The answers that KOReader's sync protocol refuses with. Its screens show the message. */
const refusals = {
  unauthorized: { status: 401, code: 2001, message: 'Unauthorized' },
  paused: { status: 401, code: 2001, message: 'This connection is paused.' },
  invalid: { status: 403, code: 2003, message: 'Invalid request' },
  noDocument: { status: 403, code: 2004, message: "Field 'document' not provided." },
  registration: {
    status: 402,
    code: 2005,
    message: 'Make a connection in the settings of Octavo.',
  },
  tooMany: { status: 429, code: 2000, message: 'Too many requests. Try again later.' },
} as const satisfies Record<string, { status: ContentfulStatusCode; code: number; message: string }>

interface KosyncDeps {
  database: Database
  records: Pick<LibraryRecords, 'write'>
  signIn: SignIn
  /** Called when something has been stored. */
  wake: () => void
  now?: (() => Date) | undefined
}

/** KOReader's progress sync. A connection's username and password open nothing else. */
export function kosyncRoutes(deps: KosyncDeps): Hono<{ Variables: { connection: SignedIn } }> {
  const { database, records, signIn, wake } = deps
  const now = deps.now ?? (() => new Date())
  const signedIn = requireConnection(signIn)
  return new Hono<{ Variables: { connection: SignedIn } }>()
    .get('/healthcheck', (c) => c.json({ state: 'OK' }))
    .post('/users/create', (c) => refuse(c, 'registration'))
    .get('/users/auth', signedIn, async (c) => {
      await records.write((tx) => touch(tx, c.get('connection').id, now()))
      return c.json({ authorized: 'OK' })
    })
    .put('/syncs/progress', signedIn, async (c) => {
      const body = await c.req.json<unknown>().catch(() => null)
      if (!withDocument.safeParse(body).success) return refuse(c, 'noDocument')
      const { data: position } = push.safeParse(body)
      if (!position) return refuse(c, 'invalid')
      const at = now()
      const failure = await storePush(records, c.get('connection'), position, at)
      if (failure) return refuse(c, failure === 'full' ? 'invalid' : failure)
      wake()
      return c.json({ document: position.document, timestamp: secondsOf(at) })
    })
    .get('/syncs/progress/:document', signedIn, async (c) => {
      const key = { user: c.get('connection').user, document: c.req.param('document') }
      if (key.document.includes('\0')) return refuse(c, 'noDocument')
      const [found] = await lastPosition(database, key)
      if (!found) return c.json({})
      const { pushed, ...rest } = found
      const timestamp = secondsOf(new Date(pushed.replace(' ', 'T')))
      return c.json({ document: key.document, ...rest, timestamp })
    })
}

const secondsOf = (date: Date) => Math.floor(date.getTime() / 1000)

function refuse(c: Context, why: keyof typeof refusals): Response {
  const { status, code, message } = refusals[why]
  return c.json({ code, message }, status)
}

/** Lets only connections through, and sets `connection`. */
function requireConnection(signIn: SignIn) {
  return createMiddleware<{ Variables: { connection: SignedIn } }>(async (c, next) => {
    const connection = await signIn(c, {
      kind: 'koreader',
      username: c.req.header('x-auth-user') ?? '',
      key: c.req.header('x-auth-key') ?? '',
    })
    if (typeof connection === 'string') return refuse(c, connection)
    c.set('connection', connection)
    return next()
  })
}

const lastPosition = selectBy(
  'device_books',
  ['percentage', 'progress', 'device', 'device_id', 'pushed'],
  ['user', 'document'],
  sql`AND progress <> ''`,
)

const document = z.string().regex(/^[A-Za-z0-9_]{1,128}$/)
const withDocument = z.looseObject({ document })
const cut = (max: number) => z.string().transform((value) => cutText(withoutZeros(value), max))

const push = z
  .object({
    document,
    // A place in the file, or a page.
    progress: z.union([z.string().max(5000).transform(withoutZeros), z.number()]).transform(String),
    // One that counts to 100 would put every book at its end.
    percentage: numberText()
      .refine((share) => share >= 0 && share < 1.01)
      .transform((share) => Math.min(1, share)),
    device: cut(200),
    device_id: cut(200).default(''),
    metadata: z
      .object({ filename: cut(500), title: cut(500), authors: cut(2000) })
      .partial()
      .optional(),
  })
  .transform(({ metadata: { filename = '', title = '', authors = '' } = {}, ...rest }) => ({
    ...rest,
    filename,
    title,
    // One author a line.
    authors: authors.split('\n').filter(Boolean),
  }))
