import { tmpdir } from 'node:os'
import type PocketBase from 'pocketbase'
import { Hono, type Context } from 'hono'
import { pino } from 'pino'
import { createRecords, type Database, type FileStorage } from '#records/index.ts'
import type { LibraryRecords } from '#server/collections/stored.ts'
import { adminRoutes } from '#server/admin/routes.ts'
import { completionRoutes } from '#server/completion/routes.ts'
import { davRoutes } from '#server/devices/dav.ts'
import { kosyncRoutes } from '#server/devices/kosync.ts'
import { readwiseApiRoutes } from '#server/devices/readwise-api.ts'
import { connectionSignIn } from '#server/devices/sign-in.ts'
import { errorHandler, notFound } from '#server/http/errors.ts'
import { wholeTokens } from '#server/http/whole-tokens.ts'
import { readConfig } from '#server/settings/config.ts'
import { schema } from '#server/collections/schema.ts'
import { createHooks } from '#server/open/hooks.ts'
import { libraryRoutes } from '#server/library/routes.ts'
import { accountRoutes } from '#server/accounts/routes.ts'
import type { Message } from '#server/mail/message.ts'
import { moderationRoutes } from '#server/moderation/routes.ts'
import { migrate } from '#server/migrations/migrate.ts'
import type { Bookshelf } from '#shared/bookshelf.ts'
import type { UserBook } from '#shared/user-book.ts'
import { inProcess } from '#tests/in-process.ts'
import { passwordCost } from '#tests/password-cost.ts'

const appUrl = 'http://localhost:3000'

/** What tokens are signed with. */
export const secret = 'a secret for tests that is long enough'

/** Where reports are mailed. */
export const operator = 'operator@example.org'

/** The product's API in this process, and clients that speak to it. */
export interface Fixture {
  database: Database
  records: LibraryRecords
  /** For jobs, which mustn't warn; or else {@link close} fails. */
  log: { warn: (said: object) => void }
  /** What was mailed to the operator, at {@link operator}. */
  mails: readonly Message[]
  /** A request as it is, without a client. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** A client of the official kind that is nobody. */
  visitor(): PocketBase
  /** Makes an account by signing up, and a client signed in to it. */
  reader(name: string): Promise<Reader>
  /** The code last mailed to the address. */
  codeFor(email: string): string
  /** One more session of the reader who signed up under the name. */
  signIn(name: string): Promise<PocketBase>
  close(): Promise<void>
}

export interface Reader {
  id: string
  email: string
  username: string
  client: PocketBase
}

/**
 * Opens the API over a new database.
 *
 * @param now the server's clock
 * @param files where pictures are kept; without it they are refused
 * @param arriving the folder of devices' files while they arrive
 * @param options of the product's hooks
 */
export async function openFixture(
  database: Database,
  now?: () => Date,
  files?: FileStorage,
  arriving = tmpdir(),
  options: Partial<Parameters<typeof createHooks>[0]> = {},
): Promise<Fixture> {
  await migrate(database)
  const codes = new Map<string, string>()
  const failures: unknown[] = []
  const mails: Message[] = []
  const mail = { send: async (message: Message) => void mails.push(message) }
  const records = createRecords({
    database,
    schema,
    secret,
    passwordCost,
    hooks: createHooks({
      planDefault: 'free',
      completeBooks: true,
      ...(now && { now }),
      ...options,
    }),
    appUrl,
    onOtp: ({ to, code }) => void codes.set(to, code),
    onError: (error) => void failures.push(error),
    ...(now && { now }),
    ...(files && { files }),
  })
  const storage = files ?? { read: async () => null }
  const app = new Hono()
  const config = readConfig({ APP_URL: appUrl, DATA_DIR: arriving })
  const addressOf = (c: Context) => c.req.header('x-address') ?? ''
  app.route('/api/v1', adminRoutes({ config, database, records, addressOf, now }))
  app.use('/api/v1/*', wholeTokens(records))
  app.route('/api/v1', libraryRoutes({ database, records, now }))
  app.route('/api/v1', accountRoutes({ database, records, storage, appUrl, now }))
  app.route('/api/v1', moderationRoutes({ records, mail, appUrl, contactEmail: operator, now }))
  const connect = connectionSignIn({ database, clientAddress: () => '', isLimited: false })
  const devices = { database, records, signIn: connect, wake: () => {}, now }
  app.route('/kosync', kosyncRoutes(devices))
  app.route('/readwise/api/v2', readwiseApiRoutes(devices))
  app.route('/dav', davRoutes({ ...devices, storage, folder: arriving }))
  const completion = { database, records, isOn: true, catalogue: { sources: [] } }
  app.route('/api/v1', completionRoutes(completion))
  app.all('/api/v1/*', notFound)
  app.route('/', records.routes)
  app.onError(errorHandler(pino({ level: 'error' })))

  const visitor = () => inProcess(app, appUrl)

  async function signIn(name: string): Promise<PocketBase> {
    const client = visitor()
    const email = emailOf(name)
    const mfaId = await firstStep(client, email, passwordOf(name))
    const { otpId } = await client.collection('users').requestOTP(email, { mfaId })
    await client.collection('users').authWithOTP(otpId, codes.get(email) ?? '', { mfaId })
    return client
  }

  return {
    database,
    records,
    log: { warn: (said) => void failures.push(said) },
    mails,
    fetch: async (path, init) => app.request(appUrl + path, init),
    visitor,
    codeFor: (email) => codes.get(email) ?? '',
    signIn,
    async reader(name) {
      const email = emailOf(name)
      const password = passwordOf(name)
      const user = await visitor()
        .collection('users')
        .create<{ id: string; username: string }>({ email, password, passwordConfirm: password })
      return { id: user.id, username: user.username, email, client: await signIn(name) }
    },
    async close() {
      await records.close()
      if (failures.length > 0) throw new AggregateError(failures, 'the server failed on the way')
    },
  }
}

const emailOf = (name: string) => `${name}@example.org`

/** What the reader who signed up under the name signs in with. */
export const passwordOf = (name: string) => `${name} turns the page`

async function firstStep(client: PocketBase, email: string, password: string): Promise<string> {
  try {
    await client.collection('users').authWithPassword(email, password)
  } catch (error) {
    const { response } = error as { response: { mfaId?: string } }
    if (response.mfaId) return response.mfaId
    throw error
  }
  throw new Error('signed in without a code')
}

/** What an answer was, without the throwing. */
export interface Answer {
  status: number
  body: unknown
}

/** Asks through the client and returns refusals instead of throwing them. */
export async function ask(
  client: PocketBase,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  let status = 0
  client.afterSend = (response, data: unknown) => {
    status = response.status
    return data
  }
  try {
    const options = body === undefined ? { method } : { method, body: body as object }
    const answer: unknown = await client.send<unknown>(path, options)
    return { status, body: answer }
  } catch (error) {
    const refusal = error as { status: number; response: unknown }
    return { status: refusal.status, body: refusal.response }
  } finally {
    delete client.afterSend
  }
}

/** Asks without a client, and gives the answer as it came. */
export async function askAs(
  fixture: Fixture,
  reader: Reader | undefined,
  method: string,
  address: string,
  body?: object,
): Promise<{ status: number; text: string }> {
  const token = reader?.client.authStore.token
  const answer = await fixture.fetch(address, {
    method,
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: token }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, text: await answer.text() }
}

export const path = (collection: string, id?: string) =>
  `/api/collections/${collection}/records${id === undefined ? '' : `/${id}`}`

export function addShelf(
  { client }: Reader,
  name: string,
  visibility = 'public',
): Promise<Bookshelf> {
  return client.collection('bookshelves').create<Bookshelf>({ name, visibility })
}

export function addBook(
  { client }: Reader,
  shelf: string,
  book: Partial<UserBook> & { title: string },
): Promise<UserBook> {
  return client.collection('user_books').create<UserBook>({ status: 'reading', shelf, ...book })
}
