import { beforeAll, expect, test } from 'vitest'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { subscribe, type Event, type Subscriber } from './subscriber.ts'
import {
  addBook,
  addShelf,
  askAs,
  openFixture,
  path,
  type Reader,
  type Fixture,
} from './fixture.ts'

const collections = [
  'users',
  'profile',
  'settings',
  'subscriptions',
  'bookshelves',
  'user_books',
  'activities',
  'quotes',
  'goals',
]

describeMigratedDatabases('what others hear of a reader', (open) => {
  let fixture: Fixture
  let reader: Reader
  let another: Reader
  let listeners: Record<'visitor' | 'another' | 'owner', Subscriber>

  beforeAll(async () => {
    fixture = await openFixture(await open())
    reader = await fixture.reader('reader')
    another = await fixture.reader('another')
    const topics = collections.map((name) => `${name}/*`)
    listeners = {
      visitor: await subscribe(fixture, undefined, topics),
      another: await subscribe(fixture, another.client.authStore.token, topics),
      owner: await subscribe(fixture, reader.client.authStore.token, topics),
    }
    return async () => {
      for (const listener of Object.values(listeners)) await listener.close()
      await fixture.close()
    }
  })

  /** What each heard of the step: a shelf of somebody else's marks its end. */
  async function heard(step: () => Promise<unknown>) {
    await step()
    const name = `Marker ${crypto.randomUUID().slice(0, 8)}`
    const { id } = await addShelf(another, name)
    const events = {
      visitor: await listeners.visitor.until(name),
      another: await listeners.another.until(name),
      owner: await listeners.owner.until(name),
    }
    await another.client.collection('bookshelves').delete(id)
    const told = (list: Event[]) =>
      list
        .filter((event) => event.record.id !== last)
        .map(({ topic, action }) => `${topic.slice(0, -2)} ${action}`)
        .toSorted()
    const answer = {
      visitor: told(events.visitor),
      another: told(events.another),
      owner: told(events.owner),
      texts: [...events.visitor, ...events.another].map(({ text }) => text).join('\n'),
    }
    last = id
    return answer
  }
  /** The marker before, whose deletion is heard in the next step. */
  let last = ''

  test('is what they may see at that moment, and never that something was hidden', async () => {
    const { client, id } = reader
    const shelves = client.collection('bookshelves')
    const books = client.collection('user_books')
    const ids: Record<string, string> = {}
    const settings = await client.collection('settings').getFullList()
    const event = async (book: string) =>
      (await client.collection('activities').getFullList({ filter: `book = "${book}"` }))[0]!.id
    const none: string[] = []
    const added = ['activities create', 'bookshelves update', 'user_books create']

    const steps: [string, () => Promise<unknown>, others: string[], owner: string[]][] = [
      [
        'a public shelf',
        async () => (ids['open'] = (await addShelf(reader, 'Open shelf')).id),
        ['bookshelves create'],
        ['bookshelves create'],
      ],
      [
        'a private shelf',
        async () => (ids['shut'] = (await addShelf(reader, 'canary shelf', 'private')).id),
        none,
        ['bookshelves create'],
      ],
      [
        'a book on the public shelf',
        async () => (ids['book'] = (await addBook(reader, ids['open']!, { title: 'Seen' })).id),
        added,
        added,
      ],
      [
        'a book on the private shelf',
        async () => (ids['dark'] = (await addBook(reader, ids['shut']!, { title: 'canary' })).id),
        none,
        added,
      ],
      [
        'a rating of each',
        async () => {
          await books.update(ids['book']!, { rating: 7 })
          await books.update(ids['dark']!, { rating: 7 })
        },
        ['user_books update'],
        ['user_books update', 'user_books update'],
      ],
      [
        'a note, a place, a private quote and a private goal',
        async () => {
          const { book_key } = await books.update(ids['book']!, { notes: 'canary' })
          await books.update(ids['book']!, { position: 3 })
          const quote = { user: id, book_key: book_key as string, text: 'canary', isPrivate: true }
          const { id: quoted } = await client.collection('quotes').create(quote)
          await client.collection('quotes').update(quoted, { text: 'canary again' })
          await client.collection('quotes').delete(quoted)
          const goal = { user: id, year: 2026, kind: 'books', target: 9, isPrivate: true }
          await client.collection('goals').create(goal)
        },
        none,
        [
          'goals create',
          'quotes create',
          'quotes delete',
          'quotes update',
          'user_books update',
          'user_books update',
        ],
      ],
      [
        'a note with a rating',
        async () => books.update(ids['book']!, { notes: 'canary too', rating: 6 }),
        ['user_books update'],
        ['user_books update'],
      ],
      [
        'an activity is hidden',
        async () =>
          client.collection('activities').update(await event(ids['book']!), { isPrivate: true }),
        none,
        ['activities update'],
      ],
      [
        'and shown',
        async () =>
          client.collection('activities').update(await event(ids['book']!), { isPrivate: false }),
        ['activities update'],
        ['activities update'],
      ],
      [
        'the shelf turns private',
        async () => shelves.update(ids['open']!, { visibility: 'private' }),
        none,
        ['bookshelves update'],
      ],
      [
        'is renamed there',
        async () => shelves.update(ids['open']!, { name: 'canary name' }),
        none,
        ['bookshelves update'],
      ],
      [
        'has a book that changes',
        async () => books.update(ids['book']!, { rating: 8 }),
        none,
        ['user_books update'],
      ],
      [
        'gets another name and turns public',
        async () => shelves.update(ids['open']!, { name: 'Open again', visibility: 'public' }),
        ['bookshelves update'],
        ['bookshelves update'],
      ],
      [
        'a book moves to the private shelf',
        async () => books.update(ids['book']!, { shelf: ids['shut'] }),
        ['bookshelves update'],
        ['bookshelves update', 'bookshelves update', 'user_books update'],
      ],
      [
        'and back',
        async () => books.update(ids['book']!, { shelf: ids['open'] }),
        ['bookshelves update', 'user_books update'],
        ['bookshelves update', 'bookshelves update', 'user_books update'],
      ],
      [
        'the profile turns private',
        async () => client.collection('settings').update(settings[0]!.id, { isPrivate: true }),
        none,
        ['settings update'],
      ],
      [
        'a name and a rating change there',
        async () => {
          await client.collection('users').update(id, { name: 'canary' })
          await books.update(ids['book']!, { rating: 9 })
        },
        none,
        ['user_books update', 'users update'],
      ],
      [
        'it turns public',
        async () => client.collection('settings').update(settings[0]!.id, { isPrivate: false }),
        none,
        ['settings update'],
      ],
      [
        'a plan begins',
        async () =>
          fixture.records.write((tx) => tx.create('subscriptions', { user: id, status: 'active' })),
        none,
        ['subscriptions create'],
      ],
      [
        'the hidden book goes',
        async () => books.delete(ids['dark']!),
        none,
        ['activities update', 'bookshelves update', 'user_books delete'],
      ],
    ]
    for (const [what, step, others, owner] of steps) {
      const { visitor, another: other, owner: own, texts } = await heard(step)
      expect({ what, visitor, other, own }).toEqual({
        what,
        visitor: others,
        other: others,
        own: owner,
      })
      expect(texts, what).not.toMatch(/canary|tokenKey|password|@example\.org/)
    }

    const whole = await heard(async () => shelves.delete(ids['open']!))
    const gone = ['bookshelves delete', 'user_books delete']
    expect([whole.visitor, whole.another]).toEqual([gone, gone])
    expect(whole.owner).toEqual(['activities update', ...gone])
    const silent = await heard(async () => shelves.delete(ids['shut']!))
    expect([silent.visitor, silent.another]).toEqual([none, none])
    expect(silent.owner).toEqual(['activities update', 'bookshelves delete'])
  })

  test('with a filter on what is hidden nothing is heard, and expand shows what may be seen', async () => {
    const options = (query: object) => `?options=${encodeURIComponent(JSON.stringify({ query }))}`
    const topics = [
      `bookshelves/*${options({ filter: 'user.email ~ "@"' })}`,
      `bookshelves/*${options({ filter: 'nothing = 1' })}`,
      `bookshelves/*${options({ filter: 'user.settings_via_user.isPrivate = false' })}`,
      `bookshelves/*${options({ expand: 'user.settings_via_user,user', fields: '*,expand.*' })}`,
    ]
    const listener = await subscribe(fixture, another.client.authStore.token, [
      ...topics,
      'bookshelves/*',
    ])
    await addShelf(reader, 'Heard by some')
    await addShelf(another, 'The last')
    const events = await listener.until('The last')
    await listener.close()
    const told = events.filter(({ record }) => record.name === 'Heard by some')
    expect(new Set(told.map(({ topic }) => topic))).toEqual(new Set(['bookshelves/*', topics[3]]))
    const expanded = told.find(({ topic }) => topic === topics[3])!.record
    expect(expanded).toMatchObject({ expand: { user: { id: reader.id } } })
    expect(JSON.stringify(expanded)).not.toMatch(/isPrivate|@example\.org/)
  })

  test('a connection is its owner’s', async () => {
    const stream = (await fixture.fetch('/api/realtime')).body!.getReader()
    const first = new TextDecoder().decode((await stream.read()).value)
    const clientId = /"clientId":"(\w+)"/.exec(first)![1]!
    const form = { clientId, subscriptions: ['settings/*'] }
    const post = async (who: Reader | undefined, body: object) =>
      (await askAs(fixture, who, 'POST', '/api/realtime', body)).status
    expect(await post(reader, form)).toBe(204)
    expect(await post(another, form)).toBe(403)
    expect(await post(undefined, form)).toBe(403)
    expect(await post(reader, { ...form, clientId: 'x'.repeat(40) })).toBe(404)
    expect(await post(reader, { subscriptions: [] })).toBe(400)
    expect(await post(reader, form)).toBe(204)
    await stream.cancel()
  })

  test('nobody signs in with a token that is no session’s', async () => {
    const half = { ...reader, client: fixture.visitor() }
    for (const token of ['x', 'a.b.c', reader.client.authStore.token.slice(0, -2)]) {
      half.client.authStore.save(token, null)
      const own = await askAs(fixture, half, 'GET', path('settings'))
      expect(JSON.parse(own.text)).toMatchObject({ totalItems: 0 })
      expect((await askAs(fixture, half, 'POST', '/api/v1/account/reset', {})).status).toBe(401)
    }
  })
})
