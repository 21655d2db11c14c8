import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Database } from '#records/index.ts'
import { runAllJobs } from '#server/runtime/jobs.ts'
import type { Connection, DeviceBook } from '#shared/connection.ts'
import type { UserBook } from '#shared/user-book.ts'
import { addBook, addShelf, openFixture, type Fixture, type Reader } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { ReadwiseServer, readwiseToken } from '#tests/readwise.ts'
import { duePolls } from './polls.ts'
import { pendingDocuments } from './runner.ts'
import { openServices } from './service-client.ts'

const server = new ReadwiseServer()
const services = openServices(['127.0.0.0/8'])
const minute = 60_000

beforeAll(() => server.listen())
afterAll(async () => {
  await services.close()
  await server.close()
})
beforeEach(() => {
  server.reset()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-10T12:00:00Z') })
})
afterEach(() => void vi.useRealTimers())

const pass = (milliseconds: number) => void vi.setSystemTime(Date.now() + milliseconds)

describeMigratedDatabases('Readwise', (open) => {
  let database: Database
  let fixture: Fixture
  let reader: Reader
  let book: UserBook
  let count = 0

  beforeAll(async () => {
    database = await open()
    fixture = await openFixture(database, undefined, undefined, undefined, {
      readwiseUrl: server.url,
    })
    return () => fixture.close()
  })
  beforeEach(async () => {
    reader = await fixture.reader(`marker${++count}`)
    const shelf = await addShelf(reader, 'Shelf')
    book = await addBook(reader, shelf.id, { title: 'Emma', authors: ['Jane Austen'] })
  })
  afterEach(async () => {
    for (const { id } of await reader.client.collection('connections').getFullList())
      await reader.client.collection('connections').delete(id)
  })

  const connect = (values: object = {}) =>
    reader.client.collection('connections').create<Connection>({
      kind: 'readwise',
      name: 'Readwise',
      token: readwiseToken,
      ...values,
    })
  async function poll(after = 0): Promise<void> {
    pass(after)
    await runAllJobs(duePolls({ ...fixture, services, wake: () => undefined }))
    await runAllJobs(pendingDocuments(fixture))
  }
  const mine = { filter: '' }
  const quotes = async () => {
    mine.filter = `user = "${reader.id}"`
    const all = await reader.client.collection('quotes').getFullList({ ...mine, sort: 'created' })
    return all.map((one) => one['text'] as string)
  }
  const connection = async () =>
    (await reader.client.collection('connections').getFullList<Connection>())[0]!
  const emma = (...highlights: (string | { text: string; updated: string })[]) => ({
    user_book_id: 7,
    title: 'Emma',
    author: 'Jane Austen',
    highlights: highlights.map((one) => ({
      highlighted_at: '2026-01-05T10:00:00Z',
      ...(typeof one === 'string' ? { text: one, updated: '2026-03-01T00:00:00Z' } : one),
    })),
  })

  test('makes highlights of a reader’s books quotes, for them alone', async () => {
    server.books = [
      {
        ...emma(),
        highlights: [
          {
            text: 'It was a delightful visit.',
            note: 'Perfect, in being much too short.',
            location: 42,
            location_type: 'page',
            highlighted_at: '2026-01-05T10:00:00Z',
            updated: '2026-03-01T00:00:00Z',
          },
        ],
      },
      { ...emma('An article'), user_book_id: 8, title: 'News', category: 'articles' },
      { ...emma('A book of others'), user_book_id: 9, title: 'Unknown', author: null },
    ]
    await connect()
    await poll()
    const [quote, ...others] = await reader.client
      .collection('quotes')
      .getFullList({ filter: `user = "${reader.id}"` })
    expect(quote).toMatchObject({
      book_key: book.book_key,
      text: 'It was a delightful visit.',
      note: 'Perfect, in being much too short.',
      page: 42,
      isPrivate: true,
      created: '2026-01-05 10:00:00.000Z',
    })
    expect(others).toEqual([])
    const asked = await reader.client.collection('device_books').getFullList<DeviceBook>()
    expect(asked.map(({ title }) => title).toSorted()).toEqual(['Emma', 'Unknown'])
  })

  test('is asked only for what is new, page by page', async () => {
    server.books = [
      emma('One'),
      { ...emma('Two'), user_book_id: 8 },
      { ...emma('Three'), user_book_id: 9 },
    ]
    server.pageSize = 2
    await connect()
    await poll()
    expect(server.asked).toEqual(['GET /api/v2/export/', 'GET /api/v2/export/?pageCursor=2'])
    expect((await quotes()).toSorted()).toEqual(['One', 'Three', 'Two'])
    server.asked = []
    server.books[0] = emma('One', { text: 'Four', updated: '2026-03-10T12:01:00Z' })
    await poll(6 * minute)
    expect(server.asked).toEqual(['GET /api/v2/export/?updatedAfter=2026-03-10T12%3A00%3A00.000Z'])
    expect(await quotes()).toHaveLength(4)
    await poll(6 * minute)
    expect(await quotes()).toHaveLength(4)
  })

  test('that asks to wait is left alone as long as it says', async () => {
    server.books = [emma('One')]
    server.retryAfter = 3600
    await connect()
    await poll()
    expect(await connection()).toMatchObject({ problem: 'busy' })
    server.retryAfter = 0
    server.asked = []
    await poll(50 * minute)
    expect(server.asked).toEqual([])
    await poll(20 * minute)
    expect(await quotes()).toEqual(['One'])
    expect(await connection()).toMatchObject({ problem: '' })
  })

  test('gets a reader’s quotes if they want that, each once', async () => {
    const quote = (text: string) =>
      reader.client.collection('quotes').create({ book_key: book.book_key, text, page: 3 })
    server.books = [emma('From there')]
    await quote('Seldom, very seldom')
    const { id } = await connect()
    await poll()
    expect(server.created).toEqual([])
    await reader.client.collection('connections').update(id, { sends: true })
    await poll()
    expect(server.created).toEqual([
      {
        text: 'Seldom, very seldom',
        title: 'Emma',
        author: 'Jane Austen',
        source_type: 'octavo',
        category: 'books',
        location: 3,
        location_type: 'page',
        highlighted_at: expect.stringMatching(/^2026-03-10T/),
      },
    ])
    await quote('I cannot make speeches')
    server.asked = []
    await poll(6 * minute)
    expect(server.created).toHaveLength(2)
    expect(server.asked.filter((one) => one.startsWith('POST'))).toHaveLength(1)
    await poll(6 * minute)
    expect(server.asked.filter((one) => one.startsWith('POST'))).toHaveLength(1)
    // What Octavo has sent doesn't come back as another book.
    server.books = [{ ...emma('Seldom, very seldom'), user_book_id: 10, source: 'octavo' }]
    await poll(6 * minute)
    expect(await quotes()).toHaveLength(3)
  })

  test('gets quotes again that it may not have taken, and keeps each once', async () => {
    await reader.client.collection('quotes').create({ book_key: book.book_key, text: 'Once' })
    await connect({ sends: true })
    await poll()
    // As if the process had been killed before it noted them.
    await database.transaction((tx) => tx.query('DELETE FROM sent_quotes'))
    await poll(6 * minute)
    expect(server.asked.filter((one) => one.startsWith('POST'))).toHaveLength(2)
    expect(server.created).toHaveLength(1)
  })

  test('is left alone while it is paused, and refused with a wrong token', async () => {
    server.books = [emma('One')]
    const { id } = await connect({ token: 'wrong', paused: true })
    await poll()
    expect(server.asked).toEqual([])
    await reader.client.collection('connections').update(id, { paused: false })
    await poll()
    expect(await connection()).toMatchObject({ problem: 'token', address: server.url })
    await reader.client.collection('connections').update(id, { token: readwiseToken })
    await poll()
    expect(await quotes()).toEqual(['One'])
    await reader.client.collection('connections').delete(id)
    await poll(60 * minute)
    expect(await quotes()).toEqual(['One'])
  })

  test('takes its quotes back from a wrong book', async () => {
    server.books = [emma('One')]
    await connect()
    await poll()
    const [device] = await reader.client.collection('device_books').getFullList<DeviceBook>()
    await reader.client.collection('device_books').update(device!.id, { book_key: book.book_key })
    await runAllJobs(pendingDocuments(fixture))
    await reader.client.collection('device_books').update(device!.id, { book_key: '' })
    await runAllJobs(pendingDocuments(fixture))
    expect(await quotes()).toEqual([])
  })
})
