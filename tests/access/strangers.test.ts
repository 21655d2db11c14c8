import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { describeMigratedDatabases } from '#tests/databases.ts'
import {
  library,
  rowsOf,
  visibleTo,
  replaceRows,
  words,
  type AnyRecord,
  type CollectionName,
} from './random-library.ts'
import { listQuery } from './random-requests.ts'
import { askAs, openFixture, path, type Reader, type Fixture } from './fixture.ts'

/** Something done where no stranger looks. `which` picks the record. */
const secret = fc.record({
  kind: fc.constantFrom(
    'add shelf',
    'rename shelf',
    'drop shelf',
    'add book',
    'read book',
    'drop book',
    'rate book',
    'write note',
    'move book',
    'quote in private',
    'set private goal',
    'drop activity',
    'open settings',
    'rename reader',
    'subscribe',
  ),
  which: fc.nat(11),
  word: fc.constantFrom(...words),
  number: fc.integer({ min: 1, max: 10 }),
})
type Secret = typeof secret extends fc.Arbitrary<infer T> ? T : never

/** Libraries; each sees four secret changes. */
const runs = Number(process.env['PROPERTY_RUNS'] ?? 6)

/** The last reader and a visitor are strangers to the others. */
describeMigratedDatabases('what strangers cannot see', (open) => {
  let fixture: Fixture
  let readers: Reader[]
  let owners: Reader[]
  let goals = 0

  beforeAll(async () => {
    fixture = await openFixture(await open())
    readers = []
    for (const name of ['una', 'dos', 'tres', 'cuatro']) readers.push(await fixture.reader(name))
    owners = readers.slice(0, 3)
    return () => fixture.close()
  })

  test('R26, R61: changes nothing that they can', { timeout: 120_000 }, async () => {
    const questions = fc.array(listQuery, { minLength: 8, maxLength: 8 })
    const secrets = fc.array(secret, { minLength: 4, maxLength: 4 })
    let done = 0
    await fc.assert(
      fc.asyncProperty(library, questions, secrets, async (plan, asked, changes) => {
        const rows = rowsOf(plan, readers)
        await replaceRows(fixture.database, rows)
        const addresses = [
          ...asked.filter(({ sort }) => !sort.includes('@random')).map((one) => addressOf(one)),
          ...['', '?sort=a-z', '?q=ash', '?page=2'].map((query) => `/api/v1/users${query}`),
          ...owners.flatMap(({ id, username }) => [
            ...['shelves', 'tags', 'diary', 'stats', 'goals'].map(
              (list) => `/api/v1/users/${username}/${list}`,
            ),
            path('profile', id),
            `${path('users', id)}?expand=bookshelves_via_user,activities_via_user,settings_via_user`,
          ]),
          ...rows.bookshelves.map(({ id }) => path('bookshelves', id)),
          `${path('activities')}?sort=-created&expand=book,shelf`,
          `${path('user_books')}?sort=-updated&perPage=200`,
          ...['quotes', 'goals', 'readings'].map((name) => `${path(name)}?sort=-updated`),
        ]
        const before = await answers(addresses)
        for (const change of changes) {
          const answer = await keep(change)
          if (answer) done++
          expect(answer?.status ?? 200, answer?.text).toBeLessThan(300)
          expect({ change, ...(await answers(addresses)) }).toEqual({ change, ...before })
        }
      }),
      { numRuns: runs },
    )
    expect(done).toBeGreaterThan(runs)
  })

  const addressOf = ({
    collection,
    query,
  }: {
    collection: CollectionName
    query: URLSearchParams
  }) => `${path(collection)}?${query}`

  /** Everything of an answer, by who asked and what. */
  async function answers(addresses: readonly string[]): Promise<Record<string, unknown>> {
    const all: Record<string, unknown> = {}
    for (const [who, token] of [
      ['visitor', ''],
      ['reader', readers[3]!.client.authStore.token],
    ] as const)
      for (const address of addresses) {
        const headers = token ? { Authorization: token } : undefined
        const answer = await fixture.fetch(address, headers && { headers })
        all[`${who} ${address}`] = [
          answer.status,
          await answer.text(),
          [...answer.headers].filter(([name]) => name !== 'x-request-id'),
        ]
      }
    return all
  }

  /** Does it if there is anything to do it to. */
  async function keep(change: Secret): Promise<{ status: number; text: string } | undefined> {
    const { kind, which, word, number } = change
    const rows = await stored()
    const pick = (items: AnyRecord[]) => items[which % Math.max(items.length, 1)]
    const ask = (item: AnyRecord | undefined, method: string, address: string, body?: object) =>
      item && askAs(fixture, readerOf(item), method, address, body)
    const isHidden = (name: CollectionName) => (item: AnyRecord) => {
      const strangers = [visibleTo(rows, ''), visibleTo(rows, readers[3]!.id)]
      return (
        (item['user'] ?? item.id) !== readers[3]!.id &&
        strangers.every(({ sees }) => !sees(name, item))
      )
    }
    const hidden = (name: CollectionName) => rows[name].filter(isHidden(name))
    const shelf = pick(hidden('bookshelves'))
    const book = pick(hidden('user_books'))
    const anyBook = pick(rows.user_books.filter((item) => item['user'] !== readers[3]!.id))
    const activity = pick(hidden('activities'))
    const reader = pick(owners.map(({ id }) => ({ id, user: id })))
    const unseen = pick(hidden('users').map(({ id }) => ({ id, user: id })))
    const settings = pick(rows.settings.filter(isHidden('settings')))
    switch (kind) {
      case 'add shelf':
        if (rows.bookshelves.filter((one) => one['user'] === reader?.id).length >= 5)
          return undefined
        return ask(reader, 'POST', path('bookshelves'), {
          name: `Some ${word}`,
          visibility: 'private',
        })
      case 'rename shelf':
        return ask(shelf, 'PATCH', path('bookshelves', shelf?.id), { name: `New ${word}` })
      case 'drop shelf':
        return ask(shelf, 'DELETE', path('bookshelves', shelf?.id))
      case 'add book':
        return ask(shelf, 'POST', path('user_books'), {
          shelf: shelf?.id,
          title: `${word} ${crypto.randomUUID()}`,
          status: 'reading',
          rating: number,
        })
      case 'read book':
        return ask(book, 'PATCH', path('user_books', book?.id), {
          page_count: 100,
          progress: number,
        })
      case 'rate book':
        return ask(book, 'PATCH', path('user_books', book?.id), { rating: number, title: word })
      case 'drop book':
        return ask(book, 'DELETE', path('user_books', book?.id))
      // Of books that strangers may see, too.
      case 'write note':
        return ask(anyBook, 'PATCH', path('user_books', anyBook?.id), { notes: `${word} ${which}` })
      case 'move book':
        return ask(anyBook, 'PATCH', path('user_books', anyBook?.id), { position: number + which })
      case 'quote in private':
        return ask(anyBook, 'POST', path('quotes'), {
          book_key: anyBook?.['book_key'],
          text: word,
          isPrivate: true,
        })
      case 'set private goal': {
        const goal = { user: reader?.id, year: 2000 + goals++, kind: 'books', target: number }
        return ask(reader, 'POST', path('goals'), { ...goal, isPrivate: true })
      }
      case 'drop activity':
        return ask(activity, 'DELETE', path('activities', activity?.id))
      case 'open settings':
        return ask(settings, 'PATCH', path('settings', settings?.id), {
          default_add_status: 'planning',
        })
      case 'rename reader':
        return ask(unseen, 'PATCH', path('users', unseen?.id), { name: `The ${word}` })
      case 'subscribe':
        return subscribe(reader!.id, rows.subscriptions)
    }
  }

  async function subscribe(user: string, subscriptions: readonly AnyRecord[]) {
    const known = subscriptions.find((one) => one['user'] === user)
    await fixture.records.write(async (tx) => {
      if (known) await tx.delete('subscriptions', known.id)
      else await tx.create('subscriptions', { user, status: 'active' })
    })
    return { status: 200, text: '' }
  }

  const readerOf = (item: AnyRecord) => readers.find(({ id }) => id === item['user'])

  async function stored() {
    const all = async (name: CollectionName, columns: string[]): Promise<AnyRecord[]> => {
      const list = columns.map((column) => `"${column}"`).join()
      const found = await fixture.database.query(`SELECT ${list} FROM ${name} ORDER BY id`)
      return found.map((row) => Object.fromEntries(columns.map((c, i) => [c, row[i]])) as AnyRecord)
    }
    const settings = await all('settings', ['id', 'user', 'isPrivate'])
    const activities = await all('activities', ['id', 'user', 'book', 'shelf', 'isPrivate'])
    // SQLite keeps booleans as numbers.
    const plain = (item: AnyRecord): AnyRecord => ({
      ...item,
      isPrivate: Boolean(item['isPrivate']),
    })
    const bookColumns = ['id', 'user', 'shelf', 'title', 'isPrivate', 'book_key']
    const books = await all('user_books', bookColumns)
    const users = await all('users', ['id', 'username'])
    return {
      users,
      profile: users,
      settings: settings.map(plain),
      subscriptions: await all('subscriptions', ['id', 'user', 'status']),
      bookshelves: await all('bookshelves', ['id', 'user', 'name', 'visibility']),
      user_books: books.map(plain),
      activities: activities.map(plain),
    }
  }
})
