import { sql } from 'kysely'
import {
  authTables,
  collection,
  createRecords,
  fileTables,
  limitTables,
  realtimeTables,
  Schema,
  tableSql,
  type Database,
  type Records,
} from '#records/index.ts'
import { insertRow } from '#records/write/rows.ts'
import { zeroValue, type StoredRecord } from '#records/schema/values.ts'
import { passwordCost } from '#tests/password-cost.ts'

const own = 'owner = @request.auth.id'
const shown = `${own} || secret = false`
const ofFolder = 'folder.owner = @request.auth.id'
const open = { list: '', view: '', create: '', update: '', delete: '' }
const closed = { list: null, view: null, create: null, update: null, delete: null }

/** People keep notes in folders. Every type of field is there, with every option. */
export const schema = new Schema([
  collection({
    name: 'people',
    type: 'auth',
    fields: [
      { name: 'name', type: 'text', max: 20 },
      { name: 'code', type: 'text', readable: 'nobody' },
      { name: 'phone', type: 'text', readable: 'self' },
    ],
    rules: {
      ...open,
      update: 'id = @request.auth.id',
      delete: 'id = @request.auth.id',
    },
    auth: {
      tokenLife: 3600,
      sessionIdle: 7200,
      sessionLife: 86_400,
      otp: { digits: 6, life: 180, tries: 5 },
      mfa: { life: 600 },
    },
  }),
  collection({
    name: 'tags',
    fields: [
      { name: 'name', type: 'text', required: true },
      { name: 'weight', type: 'number' },
    ],
    unique: [['name']],
    rules: open,
  }),
  collection({
    name: 'folders',
    fields: [
      {
        name: 'owner',
        type: 'relation',
        collection: 'people',
        required: true,
        cascadeDelete: true,
        fill: 'viewer',
        writable: 'create',
      },
      { name: 'name', type: 'text', required: true, min: 2, max: 30 },
      { name: 'secret', type: 'bool' },
      { name: 'parent', type: 'relation', collection: 'folders' },
    ],
    unique: [['owner', 'name']],
    rules: {
      list: shown,
      view: shown,
      create: `@request.auth.id != "" && ${own}`,
      update: own,
      delete: own,
    },
  }),
  collection({
    name: 'notes',
    fields: [
      {
        name: 'folder',
        type: 'relation',
        collection: 'folders',
        required: true,
        cascadeDelete: true,
      },
      { name: 'title', type: 'text', required: true, max: 60, pattern: /^[^{]*$/ },
      { name: 'stars', type: 'number', min: 0, max: 5, onlyInt: true },
      { name: 'score', type: 'number' },
      { name: 'done', type: 'bool' },
      { name: 'due', type: 'date' },
      { name: 'kind', type: 'select', values: ['a', 'b', 'c'] },
      { name: 'kinds', type: 'select', values: ['a', 'b', 'c'], maxSelect: 2 },
      { name: 'tags', type: 'relation', collection: 'tags', maxSelect: 3 },
      { name: 'next', type: 'relation', collection: 'notes' },
      { name: 'data', type: 'json', maxSize: 200 },
      { name: 'body', type: 'editor', maxSize: 100 },
      { name: 'link', type: 'url', exceptDomains: ['bad.test'] },
      { name: 'place', type: 'geoPoint' },
      { name: 'hint', type: 'text', readable: 'nobody' },
      { name: 'serial', type: 'text', writable: 'never' },
      { name: 'created', type: 'autodate', onUpdate: false },
      { name: 'updated', type: 'autodate', onUpdate: true },
    ],
    rules: {
      list: `${ofFolder} || folder.secret = false`,
      view: `${ofFolder} || folder.secret = false`,
      create: ofFolder,
      update: ofFolder,
      delete: ofFolder,
    },
  }),
  collection({
    name: 'links',
    fields: [
      { name: 'note', type: 'relation', collection: 'notes', required: true },
      { name: 'text', type: 'text' },
      { name: 'slug', type: 'text', autogenerate: 6 },
    ],
    rules: { ...open, update: '@request.body.text != "" && @request.headers.x_key = "k"' },
  }),
  // Rung after a request: whoever has heard that has heard of the request, too.
  collection({ name: 'bells', fields: [{ name: 'rung', type: 'number' }], rules: open }),
  // Open to who says the word: in the query to list it, in a header to view it.
  collection({
    name: 'doors',
    fields: [{ name: 'opened', type: 'number' }],
    rules: { ...open, list: '@request.query.word = "k"', view: '@request.headers.x_word = "k"' },
  }),
  collection({ name: 'vault', fields: [{ name: 'word', type: 'text' }], rules: closed }),
  collection({
    name: 'digest',
    type: 'view',
    fields: [
      { name: 'name', type: 'text' },
      { name: 'notes', type: 'number' },
    ],
    rules: { ...closed, list: '', view: '' },
    select: () => sql`SELECT f.id, f.name,
      CAST((SELECT COUNT(*) FROM notes n WHERE n.folder = f.id) AS DOUBLE PRECISION) AS notes
      FROM folders f WHERE NOT f.secret`,
  }),
])

/** `n1` is short for the id it stands for. */
export const id = (short: string) => short.padEnd(15, '0')

const stored: Record<string, ({ id: string } & Record<string, unknown>)[]> = {
  tags: [
    { id: 'red', name: 'Red', weight: 1 },
    { id: 'blue', name: 'Blue', weight: 2 },
    { id: 'green', name: 'Green', weight: 3 },
  ],
  folders: [
    { id: 'open', owner: id('ann'), name: 'Open' },
    { id: 'shut', owner: id('ann'), name: 'Shut canary', secret: true },
    { id: 'bobs', owner: id('bob'), name: 'Bobs', parent: id('open') },
    { id: 'bobx', owner: id('bob'), name: 'Bobx canary', secret: true, parent: id('open') },
  ],
  notes: [
    {
      id: 'n1',
      folder: id('open'),
      title: 'Alpha',
      stars: 5,
      score: 1.5,
      done: true,
      due: '2026-01-02 03:04:05.678Z',
      kind: 'a',
      kinds: ['a', 'b'],
      tags: [id('red'), id('blue')],
      next: id('n3'),
      data: { deep: [1, 'x'], k: 'v' },
      body: '<p>One <b>two</b></p><script>three</script>',
      link: 'https://good.test/a',
      place: { lon: 13.4, lat: 52.5 },
      hint: 'canary',
      created: '2026-01-01 00:00:00.000Z',
    },
    {
      id: 'n2',
      folder: id('open'),
      title: 'alpha <b>&\u2028 it’s "q"',
      stars: 3,
      score: -2,
      kind: 'b',
      tags: [id('red')],
      next: id('n1'),
      data: 'word',
      created: '2026-01-01 00:00:00.000Z',
    },
    {
      id: 'n3',
      folder: id('shut'),
      title: 'Secret canary',
      stars: 4,
      kinds: ['c'],
      tags: [id('green')],
      data: ['one', 2],
      created: '2026-01-03 00:00:00.000Z',
    },
    {
      id: 'n4',
      folder: id('bobs'),
      title: 'Beta 50%_x\\y',
      next: id('n1'),
      created: '2026-01-04 00:00:00.000Z',
    },
    {
      id: 'n5',
      folder: id('bobx'),
      title: 'Hidden canary',
      stars: 1,
      tags: [id('blue')],
      next: id('n1'),
      created: '2026-01-05 00:00:00.000Z',
    },
  ],
  links: [{ id: 'l1', note: id('n1'), text: 'kept' }],
  vault: [{ id: 'v', word: 'canary' }],
  bells: [{ id: 'bell', rung: 0 }],
  doors: [{ id: 'door', opened: 0 }],
}

export type Caller = '' | 'ann' | 'bob'

export interface Fixture {
  records: Records
  /** What went wrong on the server. */
  errors: unknown[]
  /** The code of the last mail to an address. */
  codes: ReadonlyMap<string, string>
  request: (address: string, init?: RequestInit) => Promise<Response>
  /** See {@link Ask}. */
  ask: Ask
  /** @returns what signs a request of theirs; undefined for a visitor's */
  token(who: Caller): string | undefined
  /** Signs up and in. @returns the token */
  signIn(name: string): Promise<string>
  /** Puts back what was there at first; people stay as they are. */
  reset(): Promise<void>
}

/**
 * One request.
 *
 * @param line method and what follows `/api`: `GET notes/{n1}?fields=id`; a collection's records
 *   unless it begins with `/`. Queries are written plainly, ids in braces.
 * @param send a body: an object goes as JSON, anything else as it is
 */
type Ask = (
  who: Caller,
  line: string,
  send?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>

export interface Answer {
  status: number
  text: string
  json: Record<string, unknown>
  headers: Headers
}

export const password = 'correct horse'
const appUrl = 'http://app.test'

/** The service over a new database, with what is above in it. To be closed at the end. */
export async function openFixture(database: Database): Promise<Fixture> {
  await database.transaction(async (tx) => {
    for (const one of schema.collections)
      for (const statement of tableSql(one, database.dialect)) await tx.query(statement)
    for (const tables of [authTables, fileTables, limitTables, realtimeTables])
      for (const statement of tables(database.dialect.name)) await tx.query(statement)
  })
  const errors: unknown[] = []
  const codes = new Map<string, string>()
  const records = createRecords({
    database,
    schema,
    appUrl,
    secret: 'a secret of thirty-two characters',
    passwordCost,
    onOtp: ({ to, code }) => void codes.set(to, code),
    onError: (error) => errors.push(error),
    limits: false,
  })
  const tokens = new Map<Caller, string>()
  const request: Fixture['request'] = async (address, init) =>
    records.routes.request(address.startsWith('/api/') ? address : `/api${address}`, init)

  const ask: Ask = async (who, line, send, headers) => {
    const init = {
      method: line.split(' ')[0]!,
      headers: {
        ...(isJson(send) && { 'Content-Type': 'application/json' }),
        ...(tokens.has(who) && { Authorization: tokens.get(who)! }),
        ...headers,
      },
      ...(send !== undefined && { body: isJson(send) ? JSON.stringify(send) : (send as BodyInit) }),
    }
    const answer = await request(addressOf(line), init)
    const text = await answer.text()
    const isObject = text.startsWith('{')
    const json = isObject ? (JSON.parse(text) as Answer['json']) : {}
    return { status: answer.status, text, json, headers: answer.headers }
  }

  async function signIn(name: string): Promise<string> {
    const email = `${name}@example.org`
    const auth = '/collections/people'
    const form = { id: id(name), email, name, password, passwordConfirm: password }
    await ask('', 'POST people', form)
    const first = await ask('', `POST ${auth}/auth-with-password`, { identity: email, password })
    const { mfaId } = first.json
    const { otpId } = (await ask('', `POST ${auth}/request-otp`, { email, mfaId })).json
    const code = { otpId, password: codes.get(email), mfaId }
    const done = await ask('', `POST ${auth}/auth-with-otp`, code)
    return String(done.json['token'])
  }

  for (const who of ['ann', 'bob'] as const) tokens.set(who, await signIn(who))
  await seed(database)
  const reset = async () => {
    await empty(database)
    await seed(database)
  }
  const token = (who: Caller) => tokens.get(who)
  return { records, errors, codes, request, ask, token, signIn, reset }
}

async function empty(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    for (const name of Object.keys(stored).toReversed()) await tx.query(`DELETE FROM ${name}`)
  })
}

async function seed(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    for (const [name, items] of Object.entries(stored)) {
      const one = schema.get(name)
      const zeros = Object.fromEntries(one.fields.map((field) => [field.name, zeroValue(field)]))
      for (const item of items) {
        const record: StoredRecord = { ...zeros, ...item, id: id(item.id) }
        await insertRow(tx, one, record)
      }
    }
  })
}

function isJson(send: unknown): boolean {
  return (
    typeof send === 'object' && send !== null && Object.getPrototypeOf(send) === Object.prototype
  )
}

function addressOf(line: string): string {
  const [, path = '', query] = /^\w+ ([^?]*)(?:\?(.*))?$/s.exec(line) ?? []
  const whole = withIds(path)
  const [first, ...rest] = whole.split('/')
  const address = whole.startsWith('/')
    ? whole
    : [`/collections/${first}/records`, ...rest].join('/')
  return query === undefined ? address : `${address}?${encoded(withIds(query))}`
}

/** Keys and values are split at the first `=` and at every `&` before a word and `=`. */
function encoded(query: string): string {
  return query
    .split(/&(?=\w+=)/)
    .map((pair) => {
      const [key = '', ...value] = pair.split('=')
      return `${key}=${encodeURIComponent(value.join('='))}`
    })
    .join('&')
}

function withIds(text: string): string {
  return text.replace(/\{(\w+)\}/g, (_, short: string) => id(short))
}

/** @returns the short ids of a list's items: `n1 n2`, with the total where it is another */
export function idsIn({ status, json }: Answer): string {
  if (status !== 200) return `${status} ${String(json['message'])}`
  const items = json['items'] as { id: string }[]
  const ids = items.map((item) => item.id.replace(/0+$/, '')).join(' ')
  const total = Number(json['totalItems'])
  return total === items.length ? ids : `${ids} of ${total}`
}

/** @returns the codes of an answer's field errors, or the status where there are none */
export function codesOf({ status, json }: Answer): unknown {
  const data = (json['data'] ?? {}) as Record<string, { code: string }>
  const codes = Object.entries(data).map(([field, { code }]) => [field, code.slice(11)])
  return codes.length ? Object.fromEntries(codes) : status
}
