import { Hono } from 'hono'
import { ClientResponseError as OlderError } from 'pocketbase-0.26'
import PocketBase, { ClientResponseError, type RecordModel } from 'pocketbase'
import { expect, onTestFinished, vi } from 'vitest'
import {
  ApiError,
  authTables,
  collection,
  createRecords,
  limitTables,
  fileTables,
  realtimeTables,
  Schema,
  tableSql,
  type AuthMail,
  type Database,
  type Hooks,
  type OtpMail,
  type Records,
} from '#records/index.ts'
import type { Tables } from '#tests/databases.ts'
import { inProcess, type ClientClass } from '#tests/in-process.ts'
import { passwordCost } from '#tests/password-cost.ts'

const own = 'owner = @request.auth.id'
const shown = `${own} || secret = false`
const ofAlbum = 'album.owner = @request.auth.id'
const owner = {
  name: 'owner',
  type: 'relation',
  collection: 'members',
  required: true,
  cascadeDelete: true,
  fill: 'viewer',
  writable: 'create',
} as const

/** Members keep pictures in albums; an album can be secret. */
export const schema = new Schema([
  collection({
    name: 'members',
    type: 'auth',
    fields: [
      { name: 'name', type: 'text', max: 20 },
      { name: 'isAdmin', type: 'bool', writable: 'never', readable: 'nobody' },
      { name: 'created', type: 'autodate', onUpdate: false },
      { name: 'updated', type: 'autodate', onUpdate: true },
    ],
    rules: {
      list: '',
      view: '',
      create: '',
      update: 'id = @request.auth.id',
      delete: 'id = @request.auth.id',
    },
    auth: {
      tokenLife: 5 * 86_400,
      sessionIdle: 14 * 86_400,
      sessionLife: 30 * 86_400,
      otp: { digits: 6, life: 180, tries: 5 },
      mfa: { life: 600 },
      trust: { life: 30 * 86_400 },
    },
  }),
  collection({
    name: 'albums',
    fields: [
      owner,
      { name: 'name', type: 'text', required: true, min: 2, max: 30 },
      { name: 'secret', type: 'bool' },
      { name: 'pictures', type: 'number', writable: 'never' },
    ],
    unique: [['owner', 'name']],
    rules: { list: shown, view: shown, create: own, update: own, delete: own },
  }),
  collection({
    name: 'labels',
    fields: [{ name: 'name', type: 'text', required: true }],
    rules: { list: '', view: '', create: '', update: '', delete: '' },
  }),
  collection({
    name: 'pictures',
    fields: [
      {
        name: 'album',
        type: 'relation',
        collection: 'albums',
        required: true,
        cascadeDelete: true,
      },
      { name: 'title', type: 'text', pattern: /^[^<]*$/ },
      { name: 'stars', type: 'number', min: 0, max: 200, onlyInt: true },
      { name: 'isPrint', type: 'bool' },
      { name: 'taken', type: 'date' },
      { name: 'kinds', type: 'select', values: ['a', 'b', 'c'], maxSelect: 3 },
      { name: 'mood', type: 'select', values: ['calm', 'loud'] },
      { name: 'labels', type: 'relation', collection: 'labels', maxSelect: 5 },
      { name: 'next', type: 'relation', collection: 'pictures' },
      { name: 'data', type: 'json', maxSize: 100 },
      { name: 'file', type: 'file' },
      { name: 'created', type: 'autodate', onUpdate: false },
      { name: 'updated', type: 'autodate', onUpdate: true },
    ],
    rules: {
      list: `${ofAlbum} || album.secret = false`,
      view: `${ofAlbum} || album.secret = false`,
      create: ofAlbum,
      update: ofAlbum,
      delete: ofAlbum,
    },
  }),
  collection({
    name: 'captions',
    fields: [
      { name: 'picture', type: 'relation', collection: 'pictures', required: true },
      { name: 'text', type: 'text' },
    ],
    rules: { list: '', view: '', create: '', update: '', delete: '' },
  }),
  collection({
    name: 'locked',
    fields: [{ name: 'word', type: 'text' }],
    rules: { list: null, view: null, create: null, update: null, delete: null },
  }),
])

/** Labels are trimmed and kind; albums know how many pictures they have. */
const hooks: Record<string, Hooks> = {
  labels: {
    prepare({ action, after }) {
      if (!after) return
      after['name'] = String(after['name']).trim()
      if (after['name'] !== 'rude') return
      const name = { code: 'validation_not_in_invalid', message: 'Please be kind.' }
      throw new ApiError(400, `Failed to ${action} record.`, { name })
    },
  },
  pictures: {
    async applied({ before, after }, tx) {
      for (const [record, by] of [
        [before, -1],
        [after, 1],
      ] as const) {
        const album = record && (await tx.find('albums', String(record['album'])))
        if (album) await tx.update('albums', album.id, { pictures: Number(album['pictures']) + by })
      }
    },
  },
}

/** The official client, of any version. */

export interface Fixture {
  database: Database
  app: Hono
  records: Records
  mails: OtpMail[]
  /** Every other mail about an account. */
  accountMails: AuthMail[]
  errors: unknown[]
  /** Moves the service's clock, in seconds. */
  wait(seconds: number): void
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** @param Client the newest official client unless said otherwise */
  client(Client?: ClientClass): PocketBase
  /** Signs up and, with the mailed code, in. */
  member(name: string): Promise<PocketBase & { me: RecordModel }>
}

export const appUrl = 'http://app.test'
export const password = 'correct horse'

/** Opens a database with these tables. */
export type OpenDatabase = (tables: Tables) => Promise<Database>

type Options = Partial<Parameters<typeof createRecords>[0]>

/** The service over a new database, with the collections above, or with what the test brings. */
export async function openFixture(open: OpenDatabase, more: Options = {}): Promise<Fixture> {
  return attachFixture(await open(tablesOf(more.schema ?? schema)), more)
}

const tablesOf =
  ({ collections }: Schema): Tables =>
  (dialect) => [
    ...collections.flatMap((one) => tableSql(one, dialect)),
    ...[authTables, fileTables, limitTables, realtimeTables].flatMap((tables) =>
      tables(dialect.name),
    ),
  ]

/** The service as another process over a database that has its tables already. */
export function attachFixture(database: Database, more: Options = {}): Fixture {
  // Stands still but for a millisecond a reading, so that no deadline depends on the machine's speed.
  let time = Date.now()
  const mails: OtpMail[] = []
  const accountMails: AuthMail[] = []
  const errors: unknown[] = []
  const records = createRecords({
    database,
    schema,
    hooks,
    appUrl,
    secret: 'a secret of thirty-two characters',
    passwordCost,
    clientAddress: (c) => c.req.header('x-address') ?? '',
    onOtp: (mail) => void mails.push(mail),
    onMail: (mail) => void accountMails.push(mail),
    onError: (error) => errors.push(error),
    now: () => new Date(++time),
    ...more,
  })
  onTestFinished(() => records.close())
  const app = new Hono().route('/', records.routes)
  app.onError((error) => {
    errors.push(error)
    return Response.json({ data: {}, message: String(error), status: 500 }, { status: 500 })
  })

  const fixture: Fixture = {
    database,
    app,
    records,
    mails,
    accountMails,
    errors,
    wait: (seconds) => (time += seconds * 1000),
    fetch: async (path, init) => app.request(appUrl + path, init),
    client: (Client) => inProcess(app, appUrl, Client),
    async member(name) {
      const client = fixture.client()
      const email = `${name}@example.org`
      await client
        .collection('members')
        .create({ email, password, passwordConfirm: password, name })
      const { record } = await signIn(fixture, client, email)
      return Object.assign(client, { me: record })
    },
  }
  return fixture
}

/** Both steps of a sign-in. */
export async function signIn(
  fixture: Fixture,
  client: PocketBase,
  email: string,
  secret = password,
) {
  const members = client.collection('members')
  const mfaId = await passwordStep(client, email, secret)
  const { otpId } = await members.requestOTP(email, { mfaId })
  const mail = fixture.mails.findLast((sent) => sent.otpId === otpId)
  return members.authWithOTP(otpId, mail?.code ?? '', { mfaId })
}

/** @returns what the right password is answered with: the id of a sign-in half done */
export async function passwordStep(
  client: PocketBase,
  email: string,
  secret = password,
): Promise<string> {
  const error = await rejection(client.collection('members').authWithPassword(email, secret))
  return String(error.response['mfaId'])
}

export type LinkMail = Extract<AuthMail, { token: string }>

/** The next mail of a kind, once it is there. */
export async function nextMail(fixture: Fixture, kind: LinkMail['kind']): Promise<LinkMail> {
  return vi.waitFor(
    () => {
      const at = fixture.accountMails.findIndex((mail) => mail.kind === kind)
      expect(at).not.toBe(-1)
      return fixture.accountMails.splice(at, 1)[0] as LinkMail
    },
    { interval: 5, timeout: 30_000 },
  )
}

/** @returns the error a call is refused with */
export async function rejection(call: Promise<unknown>): Promise<ClientResponseError> {
  try {
    await call
  } catch (error) {
    // The older client's errors are of a class of its own.
    if (error instanceof ClientResponseError || error instanceof OlderError) return error
    throw error
  }
  throw new Error('was not refused')
}

/** @returns status and body of a refused call */
export async function statusAndBody(call: Promise<unknown>): Promise<[number, unknown]> {
  const error = await rejection(call)
  return [error.status, error.response]
}

/** @returns the codes of a refused call's field errors */
export async function errorCodes(call: Promise<unknown>): Promise<Record<string, string>> {
  const data = (await rejection(call)).response['data'] as Record<string, { code: string }>
  return Object.fromEntries(Object.entries(data).map(([field, { code }]) => [field, code]))
}
