import { beforeAll, expect, test } from 'vitest'
import type { StoredRecord } from '#records/index.ts'
import type { CollectionName } from '#server/collections/stored.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { seedOwner, type Owner, type RecordKind } from './owner.ts'
import { ask, openFixture, path, type Fixture } from './fixture.ts'

const always = ['collectionId', 'collectionName', 'id']

/** Every field that readers are shown of their own. */
const shown: [RecordKind, string, string][] = [
  ['the account', 'users', 'avatar email isAdmin name username verified'],
  [
    'the profile',
    'profile',
    'avatar average_rating background books_count books_read created isPrivate name pages_read shelves_count username',
  ],
  [
    'the settings',
    'settings',
    'accent background complete_books country day_ends default_add_status isHidden isPrivate language rating_scale stores streak_days_off time_zone user',
  ],
  ['the subscription', 'subscriptions', 'ends pay_by status user'],
  [
    'a public shelf',
    'bookshelves',
    'book_count covers created kind latest name private_count updated user visibility',
  ],
  [
    'a book on a public shelf',
    'user_books',
    'authors being_read book_key completed created description duration finished format genres image images isPrivate isbn language notes page_count position progress progress_average progress_minutes progress_percent published rating review review_spoilers series series_position shelf status tags title updated user years_read',
  ],
  ['an activity', 'activities', 'book created data event_type isPrivate shelf user'],
  [
    'a reading',
    'readings',
    'authors book_key created finished format genres is_reread language minutes outcome pages published rating series source started title uncounted updated user',
  ],
  [
    'a progress log',
    'progress_log',
    'at book_key day from hours minutes reading source to unit user',
  ],
  ['an open quote', 'quotes', 'book_key created isPrivate note page percent text updated user'],
  ['a connection', 'connections', 'address created kind last_used name paused problem sends user'],
  ['private feeds', 'private_feeds', 'created last_used user'],
  ['an API token', 'api_tokens', 'collections created expires last_used name scope user'],
  [
    'a book on a device',
    'device_books',
    'authors book_key connection device document filename ignored percentage proposal pushed title user',
  ],
  ['a file of a device', 'device_files', 'connection file hash modified path size user'],
  ['reading times', 'reading_times', 'day day_end document time_zone times user'],
  [
    'a listening session',
    'listening_sessions',
    'day_end document from length seconds session started time_zone to user',
  ],
  ['quotes of a device', 'device_quotes', 'book_key document quotes user'],
  ['a webhook', 'webhooks', 'created delivered events pause_reason paused url user'],
  [
    'a delivery of a webhook',
    'webhook_deliveries',
    'answer attempts body created due event failure state status tried user webhook',
  ],
  ['an open goal', 'goals', 'created filter from isPrivate kind target to updated user year'],
]

/** What no client can set. */
const servers: [RecordKind, CollectionName, Record<string, unknown>][] = [
  ['the account', 'users', { isAdmin: true }],
  [
    'the settings',
    'settings',
    {
      activities_since: '2020-01-01 00:00:00.000Z',
      activities_public_since: '2020-01-01 00:00:00.000Z',
      activities_newer: 77,
      activities_public_newer: 77,
      isHidden: true,
      user: 'aaaaaaaaaaaaaaa',
    },
  ],
  [
    'a public shelf',
    'bookshelves',
    {
      book_count: 7,
      private_count: 7,
      covers: ['x'],
      latest: ['x'],
      kind: 'want',
      user: 'aaaaaaaaaaaaaaa',
    },
  ],
  [
    'a book on a public shelf',
    'user_books',
    {
      progress_average: 7,
      book_key: 'x',
      completed: { images: { source: 'google' } },
      user: 'aaaaaaaaaaaaaaa',
    },
  ],
  [
    'a connection',
    'connections',
    {
      username: 'x',
      secret: 'x',
      last_used: '2020-01-01 00:00:00.000Z',
      kind: 'x',
      problem: 'away',
      due: '2020-01-01 00:00:00.000Z',
      tries: 9,
    },
  ],
  [
    'an API token',
    'api_tokens',
    {
      hash: 'x',
      last_used: '2020-01-01 00:00:00.000Z',
      expires: '2999-01-01 00:00:00.000Z',
      scope: 'write',
      collections: ['users'],
    },
  ],
  [
    'a book on a device',
    'device_books',
    { connection: '', document: 'x', title: 'x', percentage: 1, proposal: 'x', pending: true },
  ],
  ['a file of a device', 'device_files', { path: 'x', hash: 'x', withheld: true, tries: 9 }],
  ['reading times', 'reading_times', { document: 'x', day: 'x', times: [], pages: 9 }],
  ['a listening session', 'listening_sessions', { document: 'x', session: 'x', seconds: 9 }],
  ['quotes of a device', 'device_quotes', { document: 'x', quotes: [], book_key: 'x', effect: {} }],
  [
    'a webhook',
    'webhooks',
    {
      secret: 'whsec_x',
      former_secret: 'whsec_x',
      former_until: '2099-01-01 00:00:00.000Z',
      pause_reason: 'gone',
      delivered: '2020-01-01 00:00:00.000Z',
    },
  ],
  [
    'a delivery of a webhook',
    'webhook_deliveries',
    {
      webhook: '',
      event: 'book.rated',
      body: '{}',
      attempts: 9,
      tried: '2020-01-01 00:00:00.000Z',
      due: '2020-01-01 00:00:00.000Z',
      status: 200,
      answer: 'x',
      failure: 'timeout',
    },
  ],
  [
    'an activity',
    'activities',
    { event_type: 'x', book: '', shelf: '', data: { x: 1 }, user: 'aaaaaaaaaaaaaaa' },
  ],
]

/** Fields that nobody can ask about. */
const unknown = {
  users: ['created', 'updated', 'isAdmin'],
  profile: ['isHidden'],
  connections: ['username', 'secret', 'token', 'due', 'tries', 'cursor'],
  api_tokens: ['hash'],
  private_feeds: ['hash'],
  device_books: [
    'device_id',
    'progress',
    'pushes',
    'finishes',
    'seen',
    'effect',
    'timed_key',
    'pending',
  ],
  device_files: ['withheld', 'tries'],
  reading_times: ['pages'],
  device_quotes: ['effect', 'held'],
  webhooks: ['secret', 'former_secret', 'former_until'],
  settings: [
    'activities_since',
    'activities_public_since',
    'activities_newer',
    'activities_public_newer',
  ],
}

describeMigratedDatabases('the fields of what a reader has', (open) => {
  let fixture: Fixture
  let owner: Owner

  beforeAll(async () => {
    fixture = await openFixture(await open())
    owner = await seedOwner(fixture, 'owner')
    return () => fixture.close()
  })

  const write = (thing: RecordKind, collection: string, body: object) =>
    ask(owner.client, 'PATCH', path(collection, owner.ids[thing]), body)

  test.each(shown)('%s shows its own and no other', async (thing, collection, fields) => {
    const record = await owner.client.collection(collection).getOne(owner.ids[thing])
    expect(Object.keys(record).toSorted()).toEqual([...always, ...fields.split(' ')].toSorted())
  })

  test.each(servers)('%s keeps what is the server’s to say', async (thing, collection, body) => {
    const stored = (): Promise<StoredRecord | null> =>
      fixture.records.find(collection, owner.ids[thing])
    const before = await stored()
    for (const [name, value] of Object.entries(body)) {
      expect(before![name], name).not.toEqual(value)
      await write(thing, collection, { [name]: value })
      expect((await stored())![name], name).toEqual(before![name])
    }
  })

  test('that nobody sees can be neither filtered nor sorted by', async () => {
    for (const [collection, fields] of Object.entries(unknown))
      for (const field of fields)
        for (const query of [`filter=${field} != "x"`, `sort=${field}`]) {
          const { status } = await ask(owner.client, 'GET', `${path(collection)}?${query}`)
          expect([query, status]).toEqual([query, 400])
        }
  })

  test.each(['authors', 'genres', 'images'])('hold 16 KiB of %s and no more', async (field) => {
    const put = (bytes: number) =>
      write('a book on a public shelf', 'user_books', { [field]: ['x'.repeat(bytes - 4)] })
    expect((await put(16_384)).status).toBe(200)
    expect(await put(16_385)).toMatchObject({
      status: 400,
      body: { data: { [field]: { code: 'validation_json_size_limit' } } },
    })
  })

  test('hold a name of a hundred characters and a username of thirty', async () => {
    const put = (name: string, length: number) =>
      write('the account', 'users', { [name]: 'x'.repeat(length) })
    for (const [name, max] of [
      ['name', 100],
      ['username', 30],
    ] as const) {
      expect((await put(name, max)).status).toBe(200)
      expect(await put(name, max + 1)).toMatchObject({
        status: 400,
        body: { data: { [name]: {} } },
      })
    }
  })

  test.each<[RecordKind, string, string, unknown]>([
    ['the settings', 'settings', 'country', 'DEU'],
    ['the settings', 'settings', 'stores', 'x'],
    ['the settings', 'settings', 'default_add_status', 'none'],
    ['the settings', 'settings', 'default_add_status', ''],
    ['the settings', 'settings', 'isPrivate', 'perhaps'],
    ['a public shelf', 'bookshelves', 'visibility', 'friends'],
    ['a book on a public shelf', 'user_books', 'status', 'none'],
    ['an activity', 'activities', 'isPrivate', 'perhaps'],
  ])('%s (%s) refuses a wrong %s at its field: %j', async (thing, collection, field, value) => {
    expect(await write(thing, collection, { [field]: value })).toMatchObject({
      status: 400,
      body: { data: { [field]: {} } },
    })
  })
})
