import type PocketBase from 'pocketbase'
import { beforeAll, describe, expect, test } from 'vitest'
import { Tokens } from '#records/auth/tokens.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { seedOwner, recordKinds, type Owner, type RecordKind } from './owner.ts'
import {
  addBook,
  addShelf,
  ask,
  openFixture,
  path,
  secret,
  type Answer,
  type Fixture,
} from './fixture.ts'

/**
 * What comes of a request. `ok`: it is done, or shown. `none`: a list without it, its total too.
 * `gone`: the 404 of an id that does not exist. `refused`: the 400 that says nothing. `unknown`: the
 * 400 of a field that does not exist. `invalid`: the 400 that names fields. `locked`: 403. `view`: the
 * 400 of what cannot be written. `no collection`: the 404 of any name that is none. Anything else is
 * given as it came.
 */
type Result =
  | 'ok'
  | 'none'
  | 'gone'
  | 'refused'
  | 'unknown'
  | 'invalid'
  | 'locked'
  | 'view'
  | 'no collection'

/** Whose the records are, by whether their profile is private. */
type Kind = 'public' | 'private'

/** Somebody asking; the last four hold what is no session, and are visitors. */
const roles = [
  'a visitor',
  'another reader',
  'the owner',
  'an administrator',
  'the owner, an administrator',
  'somebody half signed in',
  'an expired session',
  'an ended session',
  'the session of a deleted account',
] as const
type Role = (typeof roles)[number]

const isOwner = (role: Role) => role.startsWith('the owner')
/** An administrator gets what any other reader gets. */
const isReader = (role: Role) => role === 'another reader' || role === 'an administrator'

interface Scene {
  fixture: Fixture
  owner: Owner
  client: PocketBase
  role: Role
  /** A shelf of another reader. */
  foreignShelf: string
}

/** Asks for one thing and says what came of it. */
type Ask = (scene: Scene) => Promise<Result | Answer>

/** A line of the table: a request, and what comes of it for whom. */
interface Line {
  ask: Ask
  /** For a visitor and another reader; one result for both, or two. */
  public: Result | readonly [visitor: Result, another: Result]
  private: Result | readonly [visitor: Result, another: Result]
  /** Whether their profile is private is nothing to the owner. */
  owner: Result
}

const nobody = 'aaaaaaaaaaaaaaa'
const everybody = { public: 'ok', private: 'none', owner: 'ok' } as const
const themselves = { public: 'none', private: 'none', owner: 'ok' } as const
const shown = { public: 'ok', private: 'gone', owner: 'ok' } as const
const kept = { public: 'gone', private: 'gone', owner: 'ok' } as const
const ownersAlone = { public: 'refused', private: 'refused', owner: 'ok' } as const
const all = (result: Result) => ({ public: result, private: result, owner: result })

const list =
  (thing: RecordKind): Ask =>
  async ({ client, owner }) => {
    const { collection } = recordKinds[thing]
    const filter = encodeURIComponent(`id = "${owner.ids[thing]}"`)
    return listed(await ask(client, 'GET', `${path(collection)}?filter=${filter}`))
  }

const view =
  (thing: RecordKind): Ask =>
  async ({ client, owner }) => {
    const { collection } = recordKinds[thing]
    const none = await ask(client, 'GET', path(collection, nobody))
    return told(await ask(client, 'GET', path(collection, owner.ids[thing])), none)
  }

const create =
  (collection: string, body: (scene: Scene) => object): Ask =>
  (scene) =>
    write(scene, 'POST', path(collection), body(scene))

const update =
  (thing: RecordKind, change: object): Ask =>
  (scene) =>
    write(scene, 'PATCH', path(recordKinds[thing].collection, scene.owner.ids[thing]), change)

const remove =
  (thing: RecordKind): Ask =>
  async (scene) => {
    const { collection } = recordKinds[thing]
    const fresh = isOwner(scene.role) ? await another(thing, scene) : undefined
    return write(scene, 'DELETE', path(collection, fresh ?? scene.owner.ids[thing]))
  }

let books = 0

/** One more of the owner's, which may go. */
async function another(thing: RecordKind, { owner, fixture }: Scene): Promise<string | undefined> {
  const { collection } = recordKinds[thing]
  const open = owner.ids['a public shelf']
  if (collection === 'bookshelves')
    return (await addShelf(owner, 'To go', thing === 'a public shelf' ? 'public' : 'private')).id
  if (collection === 'user_books') return (await addBook(owner, open, { title: 'To go' })).id
  if (collection === 'imports')
    return fixture.records.write(async (tx) => (await tx.create('imports', { user: owner.id })).id)
  const values = {
    user: owner.id,
    name: 'To go',
    kind: 'koreader',
    document: `to-go-${books++}`,
  } as const
  if (collection === 'api_tokens')
    return (await owner.client.collection(collection).create({ name: 'To go', scope: 'read' })).id
  if (collection === 'connections' || collection === 'device_books')
    return fixture.records.write(async (tx) => (await tx.create(collection, values)).id)
  if (collection === 'webhooks') return (await owner.client.collection(collection).create(hook)).id
  if (collection !== 'activities') return undefined
  // Of another copy of the same book nothing is told.
  const book = await addBook(owner, open, { title: `To be told ${books++}` })
  const [row] = await fixture.database.query(`SELECT id FROM activities WHERE book = '${book.id}'`)
  return String(row?.[0])
}

let accounts = 0
const account = () => ({
  email: `new${accounts++}@example.org`,
  password: 'a page turned',
  passwordConfirm: 'a page turned',
})

/** The owner that leaves is one more of them. */
async function leave(scene: Scene): Promise<Result | Answer> {
  if (!isOwner(scene.role)) return remove('the account')(scene)
  const { id, client } = await scene.fixture.reader(`leaving${accounts++}`)
  return write({ ...scene, client }, 'DELETE', path('users', id))
}

/** A list asked in a way that hidden fields must not answer. */
const asking =
  (collection: string, query: string): Ask =>
  async ({ client, owner }) => {
    const of = (text: string) =>
      ask(client, 'GET', `${path(collection)}?${text.replaceAll('{email}', owner.email)}`)
    const key = query.slice(0, query.indexOf('='))
    const unknown = await of(key === 'sort' ? 'sort=nonsense' : 'filter=nonsense%3D1')
    const answer = await of(query)
    expect(unknown.status).toBe(400)
    if (isSame(answer, unknown)) return 'unknown'
    return listed(answer)
  }

const hook = { url: 'https://example.org/hook', events: ['book.added'] }
const shelf = { name: 'One more', visibility: 'public' }
const book = (on: string) => ({ shelf: on, title: 'One more', status: 'reading' })
const hiddenFields = [
  'password',
  'tokenKey',
  'verified',
  'isAdmin',
  'emailVisibility',
  'lastResetSentAt',
]
const innerCollections = [
  '_superusers',
  '_mfas',
  '_otps',
  '_externalAuths',
  '_authOrigins',
  'sessions',
  'webhook_events',
]

const hiddenActivities = [
  'a hidden activity',
  'an activity on a private shelf',
  'an activity of a removed book',
  'an activity of a book that moved to a private shelf',
] as const

/** Who may see and change what, record by record. */
const table: Readonly<Record<string, Line>> = {
  'users: list': { ask: list('the account'), ...everybody },
  'users: view': { ask: view('the account'), ...shown },
  'users: update': { ask: update('the account', { name: 'Renamed' }), ...kept },
  'users: update with an invalid body': {
    ask: update('the account', { username: '!' }),
    ...kept,
    owner: 'invalid',
  },
  'users: create': {
    ask: create('users', () => account()),
    public: ['ok', 'refused'],
    private: ['ok', 'refused'],
    owner: 'refused',
  },
  'users: delete': { ask: leave, ...kept },
  'users: filter by email': { ask: asking('users', 'filter=email%3D"{email}"'), ...all('none') },
  'users: filter by :lower': {
    ask: asking('users', 'filter=email:lower%3D"{email}"'),
    ...all('none'),
  },
  'users: filter by email, unlike': {
    ask: asking('users', 'filter=email!%3D"x"'),
    ...all('none'),
  },
  'shelves: filter by user.email': {
    ask: asking('bookshelves', 'filter=user.email~"example"'),
    ...all('none'),
  },
  'users: filter by email and back': {
    ask: asking('users', 'filter=bookshelves_via_user.user.email?~"example"'),
    ...all('none'),
  },
  'users: sort by email': { ask: asking('users', 'sort=email'), ...all('unknown') },
  ...Object.fromEntries(
    hiddenFields.flatMap((field): [string, Line][] => [
      [`users: sort by ${field}`, { ask: asking('users', `sort=${field}`), ...all('unknown') }],
      [
        `users: filter by ${field}`,
        { ask: asking('users', `filter=${field}!%3D""`), ...all('unknown') },
      ],
    ]),
  ),
  'profile: list': { ask: list('the profile'), ...everybody },
  'profile: view': { ask: view('the profile'), ...shown },
  'profile: create': { ask: create('profile', () => ({ username: 'x' })), ...all('view') },
  'profile: update': { ask: update('the profile', { username: 'x' }), ...all('view') },
  'profile: delete': { ask: remove('the profile'), ...all('view') },

  'settings: list': { ask: list('the settings'), ...themselves },
  'settings: view': { ask: view('the settings'), ...kept },
  'settings: create': {
    ask: create('settings', ({ owner }) => ({ user: owner.id })),
    ...all('refused'),
  },
  'settings: update': {
    ask: update('the settings', { default_add_status: 'planning' }),
    ...kept,
  },
  'settings: delete': { ask: remove('the settings'), ...all('gone') },

  'subscriptions: list': { ask: list('the subscription'), ...themselves },
  'subscriptions: view': { ask: view('the subscription'), ...kept },
  'subscriptions: create': {
    ask: create('subscriptions', ({ owner }) => ({ user: owner.id, status: 'active' })),
    ...all('locked'),
  },
  'subscriptions: update': {
    ask: update('the subscription', { status: 'active' }),
    ...all('locked'),
  },
  'subscriptions: delete': { ask: remove('the subscription'), ...all('locked') },

  'imports: list': { ask: list('an import'), ...themselves },
  'imports: view': { ask: view('an import'), ...kept },
  'imports: update': { ask: update('an import', { options: { unmatched: 'skip' } }), ...kept },
  'imports: delete': { ask: remove('an import'), ...kept },
  'rows of imports: list': { ask: list('a row of an import'), ...themselves },
  'rows of imports: view': { ask: view('a row of an import'), ...kept },
  'rows of imports: create': {
    ask: create('import_rows', ({ owner }) => ({ import: owner.ids['an import'], number: 2 })),
    ...all('locked'),
  },
  'rows of imports: update': {
    ask: update('a row of an import', { state: 'skipped' }),
    ...kept,
  },
  'rows of imports: delete': { ask: remove('a row of an import'), ...all('locked') },

  'connections: list': { ask: list('a connection'), ...themselves },
  'connections: view': { ask: view('a connection'), ...kept },
  'connections: create for the owner': {
    ask: create('connections', ({ owner }) => ({ user: owner.id, name: 'Kobo', kind: 'koreader' })),
    ...ownersAlone,
  },
  'connections: update': { ask: update('a connection', { paused: true }), ...kept },
  'connections: delete': { ask: remove('a connection'), ...kept },
  'private feeds: list': { ask: list('private feeds'), ...themselves },
  'private feeds: view': { ask: view('private feeds'), ...kept },
  'private feeds: create for the owner, who has them': {
    ask: create('private_feeds', ({ owner }) => ({ user: owner.id })),
    ...ownersAlone,
    owner: 'invalid',
  },
  'private feeds: update': { ask: update('private feeds', { hash: 'x' }), ...all('locked') },
  'API tokens: list': { ask: list('an API token'), ...themselves },
  'API tokens: view': { ask: view('an API token'), ...kept },
  'API tokens: create for the owner': {
    ask: create('api_tokens', ({ owner }) => ({
      user: owner.id,
      name: 'One more',
      scope: 'write',
    })),
    ...ownersAlone,
  },
  'API tokens: update': { ask: update('an API token', { name: 'Renamed' }), ...kept },
  'API tokens: delete': { ask: remove('an API token'), ...kept },
  'books on devices: list': { ask: list('a book on a device'), ...themselves },
  'books on devices: view': { ask: view('a book on a device'), ...kept },
  'books on devices: create': {
    ask: create('device_books', ({ owner }) => ({ user: owner.id, document: 'a2' })),
    ...all('locked'),
  },
  'books on devices: update': { ask: update('a book on a device', { ignored: true }), ...kept },
  'books on devices: delete': { ask: remove('a book on a device'), ...kept },
  'files of devices: list': { ask: list('a file of a device'), ...themselves },
  'files of devices: view': { ask: view('a file of a device'), ...kept },
  'files of devices: create': {
    ask: create('device_files', ({ owner }) => ({ user: owner.id, path: 'a' })),
    ...all('locked'),
  },
  'files of devices: update': {
    ask: update('a file of a device', { path: 'a' }),
    ...all('locked'),
  },
  'files of devices: delete': { ask: remove('a file of a device'), ...all('locked') },
  'reading times: list': { ask: list('reading times'), ...themselves },
  'reading times: view': { ask: view('reading times'), ...kept },
  'reading times: create': {
    ask: create('reading_times', ({ owner }) => ({ user: owner.id, document: 'a', day: 'b' })),
    ...all('locked'),
  },
  'reading times: update': { ask: update('reading times', { day: 'b' }), ...all('locked') },
  'reading times: delete': { ask: remove('reading times'), ...all('locked') },
  'listening sessions: list': { ask: list('a listening session'), ...themselves },
  'listening sessions: view': { ask: view('a listening session'), ...kept },
  'listening sessions: create': {
    ask: create('listening_sessions', ({ owner }) => ({
      user: owner.id,
      document: 'a',
      session: 'b',
    })),
    ...all('locked'),
  },
  'listening sessions: update': {
    ask: update('a listening session', { session: 'b' }),
    ...all('locked'),
  },
  'listening sessions: delete': { ask: remove('a listening session'), ...all('locked') },
  'quotes of devices: list': { ask: list('quotes of a device'), ...themselves },
  'quotes of devices: view': { ask: view('quotes of a device'), ...kept },
  'quotes of devices: create': {
    ask: create('device_quotes', ({ owner }) => ({ user: owner.id, document: 'a' })),
    ...all('locked'),
  },
  'quotes of devices: update': {
    ask: update('quotes of a device', { document: 'b' }),
    ...all('locked'),
  },
  'quotes of devices: delete': { ask: remove('quotes of a device'), ...all('locked') },

  'webhooks: list': { ask: list('a webhook'), ...themselves },
  'webhooks: view': { ask: view('a webhook'), ...kept },
  'webhooks: create for the owner': {
    ask: create('webhooks', ({ owner }) => ({ user: owner.id, ...hook })),
    ...ownersAlone,
  },
  'webhooks: update': { ask: update('a webhook', { paused: true }), ...kept },
  'webhooks: delete': { ask: remove('a webhook'), ...kept },
  'deliveries: list': { ask: list('a delivery of a webhook'), ...themselves },
  'deliveries: view': { ask: view('a delivery of a webhook'), ...kept },
  'deliveries: create a test of the owner’s webhook': {
    ask: create('webhook_deliveries', ({ owner }) => ({ webhook: owner.ids['a webhook'] })),
    ...ownersAlone,
  },
  'deliveries: create a test for the owner': {
    ask: create('webhook_deliveries', ({ owner }) => ({
      user: owner.id,
      webhook: owner.ids['a webhook'],
    })),
    ...ownersAlone,
  },
  'deliveries: send again': {
    ask: update('a delivery of a webhook', { state: 'waiting' }),
    ...kept,
  },
  'deliveries: delete': { ask: remove('a delivery of a webhook'), ...all('locked') },

  'public shelf: list': { ask: list('a public shelf'), ...everybody },
  'public shelf: view': { ask: view('a public shelf'), ...shown },
  'public shelf: update': { ask: update('a public shelf', { name: 'Renamed' }), ...kept },
  'public shelf: delete': { ask: remove('a public shelf'), ...kept },
  'private shelf: list': { ask: list('a private shelf'), ...themselves },
  'private shelf: view': { ask: view('a private shelf'), ...kept },
  'private shelf: update': { ask: update('a private shelf', { name: 'Renamed' }), ...kept },
  'private shelf: delete': { ask: remove('a private shelf'), ...kept },
  'shelf: create as oneself': {
    ask: create('bookshelves', () => shelf),
    public: ['refused', 'ok'],
    private: ['refused', 'ok'],
    owner: 'ok',
  },
  'shelf: create for the owner': {
    ask: create('bookshelves', ({ owner }) => ({ ...shelf, user: owner.id })),
    ...ownersAlone,
  },

  'book on a public shelf: list': { ask: list('a book on a public shelf'), ...everybody },
  'book on a public shelf: view': { ask: view('a book on a public shelf'), ...shown },
  'book on a public shelf: update': {
    ask: update('a book on a public shelf', { title: 'Renamed' }),
    ...kept,
  },
  'book on a public shelf: delete': { ask: remove('a book on a public shelf'), ...kept },
  'book on a private shelf: list': { ask: list('a book on a private shelf'), ...themselves },
  'book on a private shelf: view': { ask: view('a book on a private shelf'), ...kept },
  'book on a private shelf: update': {
    ask: update('a book on a private shelf', { title: 'Renamed' }),
    ...kept,
  },
  'book on a private shelf: delete': { ask: remove('a book on a private shelf'), ...kept },
  'book: create on the owner’s public shelf': {
    ask: create('user_books', ({ owner }) => book(owner.ids['a public shelf'])),
    ...ownersAlone,
  },
  'book: create on the owner’s private shelf': {
    ask: create('user_books', ({ owner }) => book(owner.ids['a private shelf'])),
    ...ownersAlone,
  },
  'book: create for the owner on a shelf of another reader': {
    ask: create('user_books', ({ owner, foreignShelf }) => ({
      ...book(foreignShelf),
      user: owner.id,
    })),
    ...all('refused'),
  },
  'book: create without a shelf': {
    ask: create('user_books', () => book('')),
    public: ['refused', 'invalid'],
    private: ['refused', 'invalid'],
    owner: 'invalid',
  },
  'book: create on no shelf that exists': {
    ask: create('user_books', () => book(nobody)),
    ...all('refused'),
  },
  'book: create on the shelf of another reader': {
    ask: create('user_books', ({ foreignShelf }) => book(foreignShelf)),
    public: ['refused', 'ok'],
    private: ['refused', 'ok'],
    owner: 'refused',
  },

  'activity: list': { ask: list('an activity'), ...everybody },
  'activity: view': { ask: view('an activity'), ...shown },
  'activity: create': {
    ask: create('activities', ({ owner }) => ({ user: owner.id, event_type: 'reading' })),
    ...all('locked'),
  },
  'activity: update': { ask: update('an activity', { isPrivate: false }), ...kept },
  'activity: delete': { ask: remove('an activity'), ...kept },
  ...Object.fromEntries(
    hiddenActivities.flatMap((thing): [string, Line][] => [
      [`${thing}: list`, { ask: list(thing), ...themselves }],
      [`${thing}: view`, { ask: view(thing), ...kept }],
      [`${thing}: update`, { ask: update(thing, { isPrivate: true }), ...kept }],
      [`${thing}: delete`, { ask: remove(thing), ...kept }],
    ]),
  ),

  ...Object.fromEntries(
    innerCollections.flatMap((name): [string, Line][] => [
      [`${name}: list`, { ask: inner(name, 'GET'), ...all('no collection') }],
      [`${name}: view`, { ask: inner(name, 'GET', nobody), ...all('no collection') }],
      [`${name}: create`, { ask: inner(name, 'POST'), ...all('no collection') }],
      [`${name}: update`, { ask: inner(name, 'PATCH', nobody), ...all('no collection') }],
      [`${name}: delete`, { ask: inner(name, 'DELETE', nobody), ...all('no collection') }],
    ]),
  ),
}

function inner(name: string, method: string, id?: string): Ask {
  return async ({ client }) => {
    const none = await ask(client, method, path('nothing', id))
    const answer = await ask(client, method, path(name, id))
    return answer.status === 404 && isSame(answer, none) ? 'no collection' : answer
  }
}

/** Writes, and sees that what was refused has left nothing behind, also as a part of a batch. */
async function write(
  { client, fixture }: Scene,
  method: 'POST' | 'PATCH' | 'DELETE',
  url: string,
  body?: object,
): Promise<Result | Answer> {
  const before = await stored(fixture)
  const collection = url.split('/')[3] ?? ''
  const none = await ask(client, method, path(collection, nobody), body)
  const answer = await ask(client, method, url, body)
  const result = told(answer, none)
  if (result === 'ok') return result
  const batch = await ask(client, 'POST', '/api/batch', { requests: [{ method, url, body }] })
  expect(batch.status).toBe(400)
  expect(batch.body).toMatchObject({ data: { requests: { 0: { response: answer.body } } } })
  expect(await stored(fixture)).toEqual(before)
  return result
}

async function stored({ database }: Fixture): Promise<unknown> {
  const tables = ['users', 'settings', 'subscriptions', 'bookshelves', 'user_books', 'activities']
  return Promise.all(tables.map((name) => database.query(`SELECT * FROM ${name} ORDER BY id`)))
}

const generic = { data: {}, message: 'Failed to create record.', status: 400 }

function told(answer: Answer, none: Answer): Result | Answer {
  const { status, body } = answer
  const { message } = (body ?? {}) as { message?: string }
  if (status === 200 || status === 204) return 'ok'
  if (status === 404 && isSame(answer, none)) return 'gone'
  if (status === 403) return 'locked'
  if (status === 400 && message === 'Unsupported collection type.') return 'view'
  if (status === 400 && isSame(body, generic)) return 'refused'
  if (status === 400 && message?.startsWith('Failed to ')) return 'invalid'
  return answer
}

function listed(answer: Answer): Result | Answer {
  const { items, totalItems, totalPages } = answer.body as Record<string, unknown>
  if (answer.status !== 200 || !Array.isArray(items)) return answer
  if (items.length === 1 && totalItems === 1 && totalPages === 1) return 'ok'
  return items.length === 0 && totalItems === 0 && totalPages === 0 ? 'none' : answer
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

describeMigratedDatabases('the table of who may do what', (open) => {
  let fixture: Fixture
  let owners: Record<Kind, Owner>
  let strangers: Partial<Record<Role, PocketBase>>
  let foreignShelf: string
  let administratorsShelf: string

  beforeAll(async () => {
    fixture = await openFixture(await open())
    owners = {
      public: await seedOwner(fixture, 'shown'),
      private: await seedOwner(fixture, 'hidden'),
    }
    const { client, ids } = owners.private
    await client.collection('settings').update(ids['the settings'], { isPrivate: true })
    const reader = await fixture.reader('another')
    foreignShelf = (await addShelf(reader, 'A foreign shelf')).id
    const administrator = await fixture.reader('administrator')
    administratorsShelf = (await addShelf(administrator, 'A foreign shelf')).id
    await setAdmin(fixture, administrator.id, true)
    strangers = {
      'a visitor': fixture.visitor(),
      'another reader': reader.client,
      'an administrator': administrator.client,
      'somebody half signed in': holding(fixture, await halfSignedIn(fixture)),
      'an expired session': holding(fixture, await expired(fixture)),
      'an ended session': holding(fixture, await ended(fixture)),
      'the session of a deleted account': holding(fixture, await deleted(fixture)),
    }
    return () => fixture.close()
  })

  const targets = (['public', 'private'] as const).flatMap((kind) =>
    roles.map((role) => ({ kind, role })),
  )
  describe.each(targets)('$role, of a $kind profile', ({ kind, role }) => {
    beforeAll(async () => {
      if (!isOwner(role)) return
      const { id, client } = owners[kind]
      await setAdmin(fixture, id, role === 'the owner, an administrator')
      // The plan has no room for those of the role before.
      const shelves = client.collection('bookshelves')
      const more = await shelves.getFullList({ filter: `user = "${id}" && name = "One more"` })
      for (const shelf of more) await shelves.delete(shelf.id)
    })

    test.each(Object.keys(table))('%s', async (name) => {
      const line = table[name]!
      const owner = owners[kind]
      const client = strangers[role] ?? owner.client
      const foreign = role === 'an administrator' ? administratorsShelf : foreignShelf
      const result = await line.ask({ fixture, owner, client, role, foreignShelf: foreign })
      expect(result).toEqual(expected(line, kind, role))
    })
  })
})

function expected(line: Line, kind: Kind, role: Role): Result {
  if (isOwner(role)) return line.owner
  const result = line[kind]
  if (typeof result === 'string') return result
  return isReader(role) ? result[1] : result[0]
}

/** Does what `npm run readers -- admin` does. */
async function setAdmin({ records }: Fixture, id: string, isAdmin: boolean): Promise<void> {
  await records.write((tx) => tx.update('users', id, { isAdmin }))
}

/** A client that sends the token with all it asks. */
function holding(fixture: Fixture, token: string): PocketBase {
  const client = fixture.visitor()
  client.authStore.save(token)
  return client
}

async function halfSignedIn(fixture: Fixture): Promise<string> {
  const { email } = await fixture.reader('half')
  const password = 'half turns the page'
  const sent = { identity: email, password }
  const address = '/api/collections/users/auth-with-password'
  const { body } = await ask(fixture.visitor(), 'POST', address, sent)
  return (body as { mfaId: string }).mfaId
}

async function expired(fixture: Fixture): Promise<string> {
  const { id, client } = await fixture.reader('expired')
  const [row] = await fixture.database.query(`SELECT "tokenKey" FROM users WHERE id = '${id}'`)
  const tokens = new Tokens(secret)
  const claims = tokens.read(client.authStore.token)!
  return tokens.sign({ ...claims, exp: Math.floor(Date.now() / 1000) - 1 }, String(row?.[0]))
}

async function ended(fixture: Fixture): Promise<string> {
  const { client } = await fixture.reader('ended')
  const { token } = client.authStore
  await client.send('/api/collections/users/sessions', { method: 'DELETE' })
  return token
}

async function deleted(fixture: Fixture): Promise<string> {
  const { id, client } = await fixture.reader('deleted')
  const { token } = client.authStore
  await client.collection('users').delete(id)
  return token
}
