import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Database } from '#records/index.ts'
import { runAllJobs } from '#server/runtime/jobs.ts'
import type { Connection, DeviceBook } from '#shared/connection.ts'
import type { UserBook } from '#shared/user-book.ts'
import {
  addBook,
  addShelf,
  ask,
  openFixture,
  path,
  type Fixture,
  type Reader,
} from '#tests/access/fixture.ts'
import { AudiobookshelfServer, audiobookshelfKey } from '#tests/audiobookshelf.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { duePolls } from './polls.ts'
import { pendingDocuments } from './runner.ts'
import { openServices, ServiceError } from './service-client.ts'
import * as z from 'zod'

const server = new AudiobookshelfServer()
const services = openServices(['127.0.0.0/8'], { within: 3000, bytes: 100_000 })
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

/** Sets the clock forward. */
const pass = (milliseconds: number) => void vi.setSystemTime(Date.now() + milliseconds)

describeMigratedDatabases('Audiobookshelf', (open) => {
  let database: Database
  let fixture: Fixture
  let reader: Reader
  let book: UserBook
  let item = ''
  let count = 0

  beforeAll(async () => {
    database = await open()
    fixture = await openFixture(database)
    return () => fixture.close()
  })
  beforeEach(async () => {
    count++
    item = `item-${count}`
    reader = await fixture.reader(`listener${count}`)
    const shelf = await addShelf(reader, 'Shelf')
    book = await addBook(reader, shelf.id, {
      title: 'Emma',
      authors: ['Jane Austen'],
      isbn: '9780141439587',
      page_count: 400,
      status: 'planning',
    })
    server.add({ id: item, title: 'Emma', authors: ['Jane Austen'], duration: 36_000 })
  })
  afterEach(async () => {
    for (const { id } of await reader.client.collection('connections').getFullList())
      await reader.client.collection('connections').delete(id)
  })

  const connect = (values: object = {}) =>
    reader.client.collection('connections').create<Connection>({
      kind: 'audiobookshelf',
      name: 'Home',
      address: server.url,
      token: audiobookshelfKey,
      ...values,
    })
  const jobs = () => duePolls({ ...fixture, services, wake: () => undefined })
  /** Reads what is due, and applies it. */
  async function poll(after = 0): Promise<void> {
    pass(after)
    await runAllJobs(jobs())
    await runAllJobs(pendingDocuments(fixture))
  }
  const connection = async () =>
    (await reader.client.collection('connections').getFullList<Connection>())[0]!
  const documents = () =>
    reader.client.collection('device_books').getFullList<DeviceBook>({ sort: 'title' })
  const bind = async () => {
    const [device] = await documents()
    const { book_key } = book
    await reader.client.collection('device_books').update(device!.id, { book_key })
    await runAllJobs(pendingDocuments(fixture))
  }
  const log = () =>
    reader.client
      .collection('progress_log')
      .getFullList<{ day: string; minutes: number }>({ sort: 'day' })
  const minutes = async () => (await log()).map((row) => [row.day, row.minutes])
  const readings = () =>
    reader.client.collection('readings').getFullList({
      filter: `user = "${reader.id}"`,
      sort: 'finished',
    })
  const now = () => reader.client.collection('user_books').getOne<UserBook>(book.id)

  test('tells what was listened to, once its reader has said which book it is', async () => {
    server.play(item, { id: 's1', at: '2026-03-08T20:00:00Z', minutes: 30 })
    server.play(item, { id: 's2', at: '2026-03-09T20:00:00Z', minutes: 60 })
    server.addOther({ libraryItemId: 'cast', episodeId: 'ep', mediaItemType: 'podcastEpisode' })
    server.addOther({ libraryItemId: null, episodeId: null, mediaItemType: 'book' })
    const made = await connect()
    expect(made).toMatchObject({ kind: 'audiobookshelf', address: server.url, problem: '' })
    await poll()
    expect(await documents()).toMatchObject([
      {
        document: `audiobookshelf:${item}`,
        title: 'Emma',
        authors: ['Jane Austen'],
        device: 'Home',
        percentage: 0.15,
        book_key: '',
        proposal: book.book_key,
      },
    ])
    expect(await minutes()).toEqual([])
    await bind()
    expect(await minutes()).toEqual([
      ['2026-03-08', 30],
      ['2026-03-09', 60],
    ])
    expect(await now()).toMatchObject({ status: 'reading', progress: 60 })
    expect(await connection()).toMatchObject({ last_used: expect.stringContaining('2026-03-10') })
    expect(server.asked).toEqual([
      '/api/me/progress',
      `/api/me/item/listening-sessions/${item}?itemsPerPage=100&page=0`,
    ])
  })

  test('is asked every few minutes, and for sessions only when something has changed', async () => {
    server.play(item, { id: 's1', at: '2026-03-09T20:00:00Z', minutes: 30, from: 0 })
    await connect()
    await poll()
    await bind()
    server.asked = []
    await poll(minute)
    expect(server.asked).toEqual([])
    await poll(6 * minute)
    expect(server.asked).toEqual(['/api/me/progress'])
    // The session goes on.
    server.play(item, { id: 's1', at: '2026-03-09T20:00:00Z', minutes: 45, from: 0 })
    await poll(6 * minute)
    expect(await minutes()).toEqual([['2026-03-09', 45]])
  })

  test('binds a book by the ISBN of its item', async () => {
    const other = `isbn-${count}`
    const facts = { title: 'Anything', authors: [], duration: 36_000 }
    server.add({ id: other, ...facts, isbn: '978-0-14-143958-7' })
    server.mark(other, true, '2026-03-09T20:00:00Z')
    await connect()
    await poll()
    expect(await documents()).toMatchObject([{ title: 'Anything', book_key: book.book_key }])
    expect(await now()).toMatchObject({ status: 'completed', progress: 400 })
    expect(await readings()).toMatchObject([{ finished: '2026-03-09', source: 'device' }])
    expect(await minutes()).toEqual([])
  })

  test('finishes a book, and a finish that is cleared there takes nothing away here', async () => {
    server.play(item, { id: 's1', at: '2026-03-08T08:00:00Z', minutes: 595, from: 0 })
    await connect()
    await poll()
    await bind()
    // Half-finished ones are in progress, and no more.
    expect(await now()).toMatchObject({ status: 'reading', progress: 397 })
    server.play(item, { id: 's2', at: '2026-03-09T20:00:00Z', minutes: 5, from: 35_700 })
    await poll(6 * minute)
    expect(await now()).toMatchObject({ status: 'completed' })
    const [once] = await readings()
    expect(once).toMatchObject({ started: '2026-03-08', finished: '2026-03-09' })
    server.mark(item, false, '2026-03-10T12:05:00Z')
    await poll(6 * minute)
    expect(await now()).toMatchObject({ status: 'completed', progress: 400 })
    expect(await readings()).toEqual([once])
    // Listening again, to the end.
    server.play(item, { id: 's3', at: '2026-03-15T08:00:00Z', minutes: 300, from: 0 })
    pass(6 * 24 * 60 * minute)
    await poll()
    expect(await readings()).toEqual([once])
    server.play(item, { id: 's4', at: '2026-03-16T01:00:00Z', minutes: 300, from: 18_000 })
    await poll(6 * minute)
    expect(await readings()).toMatchObject([
      { id: once!.id },
      { started: '2026-03-15', finished: '2026-03-16', outcome: 'finished', source: 'device' },
    ])
    expect(await minutes()).toEqual([
      ['2026-03-08', 595],
      ['2026-03-09', 5],
      ['2026-03-15', 300],
      ['2026-03-16', 300],
    ])
  })

  test('says how long a finished book is, even if it was heard elsewhere', async () => {
    server.mark(item, true, '2026-03-09T20:00:00Z')
    await connect()
    await poll()
    await bind()
    expect(await readings()).toMatchObject([
      { finished: '2026-03-09', outcome: 'finished', format: 'audio', minutes: 600 },
    ])
    expect(await log()).toEqual([])
  })

  test('says how long a recording is that the reader has begun, and not how long a book', async () => {
    const books = reader.client.collection('user_books')
    const finish = async (values: Partial<UserBook>) => {
      await books.update(book.id, { status: 'reading', ...values })
      server.mark(item, true, '2026-03-10T12:30:00Z')
      await connect()
      await poll(60 * minute)
      await bind()
      return (await readings()).map(({ format, minutes: length }) => [format, length])
    }
    expect(await finish({ format: 'audio' })).toEqual([['audio', 600]])
  })

  test('that has an e-book makes no recording of it', async () => {
    server.add({ id: item, title: 'Emma', authors: ['Jane Austen'], duration: 0 })
    server.mark(item, true, '2026-03-09T20:00:00Z')
    await connect()
    await poll()
    await bind()
    expect(await readings()).toMatchObject([{ outcome: 'finished', format: '', minutes: 0 }])
  })

  test('is read on where it was cut off', async () => {
    for (let n = 0; n < 55; n++) {
      const id = `many-${count}-${n}`
      server.add({ id, title: `Book ${n}`, authors: [], duration: 100 })
      server.mark(id, true, `2026-03-01T00:00:${String(n).padStart(2, '0')}Z`)
    }
    await connect()
    await poll()
    expect(await documents()).toHaveLength(55)
    expect(server.asked.filter((one) => one === '/api/me/progress')).toHaveLength(2)
  })

  test.each([
    ['a wrong token', 'token', { token: 'wrong' }, undefined],
    ['a server that fails', 'away', {}, 500],
    ['one that isn’t Audiobookshelf', 'malformed', {}, 404],
    ['a redirect', 'malformed', {}, 302],
    ['one that asks to be left alone', 'busy', {}, 429],
  ] as const)('says of %s: %s', async (_, problem, values, status) => {
    server.play(item, { id: 's1', at: '2026-03-09T20:00:00Z', minutes: 30, from: 0 })
    if (status)
      server.instead = (_request, response) =>
        response.writeHead(status, { Location: server.url, 'Retry-After': '3000' }).end()
    await connect(values)
    await poll()
    expect(await connection()).toMatchObject({ problem, last_used: '' })
    expect(await documents()).toEqual([])
    // It is tried again later, each time later, and with a new token at once.
    server.asked = []
    server.instead = undefined
    await poll(minute)
    expect(server.asked).toEqual([])
    const { id } = await connection()
    await reader.client.collection('connections').update(id, { token: audiobookshelfKey })
    if (status) await poll(60 * minute)
    else await poll()
    expect(await connection()).toMatchObject({ problem: '' })
    expect(await documents()).toHaveLength(1)
  })

  test.each([
    ['too large', 'tooLarge', `{"mediaProgress":[${' '.repeat(200_000)}]}`],
    ['no JSON', 'malformed', '<h1>It works</h1>'],
    ['of another shape', 'malformed', '{"mediaProgress":[{"libraryItemId":"a"}]}'],
    [
      'of hostile values',
      'malformed',
      '{"mediaProgress":[{"libraryItemId":"a","lastUpdate":1e99}]}',
    ],
  ])('says of an answer that is %s: %s', async (_, problem, body) => {
    server.instead = (_request, response) => response.end(body)
    await connect()
    await poll()
    expect(await connection()).toMatchObject({ problem })
    server.instead = undefined
    server.play(item, { id: 's1', at: '2026-03-09T20:00:00Z', minutes: 30, from: 0 })
    await poll(7 * minute)
    expect(await connection()).toMatchObject({ problem: '' })
    expect(await documents()).toHaveLength(1)
  })

  test('that is away while it is read loses nothing, and waits longer each time', async () => {
    server.play(item, { id: 's1', at: '2026-03-09T20:00:00Z', minutes: 30, from: 0 })
    const breaks = (request: { url?: string | undefined }) => request.url?.includes('sessions')
    await connect()
    server.onAsked = async () => {
      const asked = server.asked.at(-1)
      server.instead = breaks({ url: asked }) ? (request) => request.socket.destroy() : undefined
    }
    const due = async () => {
      const [row] = await database.query(`SELECT due FROM connections WHERE address <> ''`)
      return Date.parse(String(row![0]).replace(' ', 'T')) - Date.now()
    }
    for (const times of [1, 2, 4, 8, 16, 32, 64, 72, 72]) {
      await poll(10 * 60 * minute)
      expect(await connection()).toMatchObject({ problem: 'away' })
      expect(await due()).toBeGreaterThan(times * 4.4 * minute)
      expect(await due()).toBeLessThan(times * 5.6 * minute)
    }
    server.onAsked = async () => undefined
    server.instead = undefined
    await poll(10 * 60 * minute)
    await bind()
    expect(await minutes()).toEqual([['2026-03-09', 30]])
  })

  test('is read by one process at a time', async () => {
    server.play(item, { id: 's1', at: '2026-03-09T20:00:00Z', minutes: 30, from: 0 })
    await connect()
    await Promise.all([runAllJobs(jobs()), runAllJobs(jobs()), runAllJobs(jobs())])
    expect(server.asked.filter((one) => one === '/api/me/progress')).toHaveLength(1)
    // Another process takes over what one has left.
    pass(7 * minute)
    server.asked = []
    expect(await jobs().next()).toBeDefined()
    await runAllJobs(jobs())
    expect(server.asked).toEqual([])
    pass(3 * minute)
    await runAllJobs(jobs())
    expect(server.asked).toEqual(['/api/me/progress'])
  })

  test('that never comes to an end is left after a while, and holds up no other', async () => {
    server.instead = (request, response) => {
      const page = { numPages: 1e9, sessions: [] }
      const all = { mediaProgress: [{ libraryItemId: item, lastUpdate: 1, duration: 1 }] }
      response.end(JSON.stringify(request.url?.includes('sessions') ? page : all))
    }
    server.onAsked = () => new Promise((resolve) => void setTimeout(resolve, 50))
    await connect()
    await connect()
    const other = await fixture.reader(`patient${count}`)
    const theirs = await other.client.collection('connections').create<Connection>({
      kind: 'audiobookshelf',
      name: 'Home',
      address: server.url,
      token: audiobookshelfKey,
    })
    const work = duePolls({ ...fixture, services, wake: () => undefined, within: 200 })
    const { signal } = new AbortController()
    const [first, next] = [await work.next(), await work.next()]
    // Not this reader's second one.
    expect([first!.user, next!.user].toSorted()).toEqual([reader.id, other.id].toSorted())
    expect(await work.next()).toBeUndefined()
    await Promise.all([work.run(first!, signal), work.run(next!, signal)])
    expect(await reader.client.collection('connections').getFullList()).toContainEqual(
      expect.objectContaining({ problem: 'slow' }),
    )
    expect((await work.next())!.user).toBe(reader.id)
    await other.client.collection('connections').delete(theirs.id)
  })

  test.each([
    ['sessions', 101, { id: 's', startedAt: 1 }],
    ['mediaProgress', 50_001, { libraryItemId: 'a', lastUpdate: 1 }],
  ])('takes no endless list of %s', async (name, length, one) => {
    const roomy = openServices(['127.0.0.0/8'])
    server.mark(item, true, '2026-03-09T20:00:00Z')
    server.onAsked = async () => {
      const isIt = name === 'mediaProgress' || server.asked.at(-1)?.includes('sessions')
      const list = JSON.stringify({ numPages: 1, [name]: Array(length).fill(one) })
      server.instead = isIt ? (_request, response) => response.end(list) : undefined
    }
    await connect()
    await runAllJobs(duePolls({ ...fixture, services: roomy, wake: () => undefined }))
    expect(await connection()).toMatchObject({ problem: 'malformed' })
    expect(await documents()).toEqual([])
    await roomy.close()
  })

  test('is no longer read once it is paused or revoked, even in the middle', async () => {
    server.play(item, { id: 's1', at: '2026-03-09T20:00:00Z', minutes: 30, from: 0 })
    const { id } = await connect()
    server.onAsked = async () => {
      await reader.client.collection('connections').update(id, { paused: true })
    }
    await poll()
    expect(await documents()).toEqual([])
    server.onAsked = async () => undefined
    server.asked = []
    await poll(60 * minute)
    expect(server.asked).toEqual([])
    await reader.client.collection('connections').update(id, { paused: false })
    server.onAsked = async () => {
      if (server.asked.length === 2) await reader.client.collection('connections').delete(id)
    }
    await poll()
    expect(server.asked).toHaveLength(2)
    expect(await documents()).toEqual([])
  })

  test('keeps its token to itself', async () => {
    const made = await connect()
    const client = reader.client.collection('connections')
    const seen = [
      made,
      await client.getOne(made.id),
      await client.update(made.id, { name: 'Attic' }),
      await client.getFullList({ filter: `name = "Attic"` }),
    ]
    const answer = await fixture.fetch('/api/v1/account/export', {
      headers: { Authorization: reader.client.authStore.token },
    })
    expect(JSON.stringify(seen) + (await answer.text())).not.toContain(audiobookshelfKey)
    const filter = `${path('connections')}?filter=${encodeURIComponent(`token ~ "eyJ"`)}`
    expect(await ask(reader.client, 'GET', filter)).toMatchObject({ status: 400 })
    // Neither is it sent to another address without being given again.
    const update = path('connections', made.id)
    const elsewhere = { address: 'https://example.org' }
    expect(await ask(reader.client, 'PATCH', update, elsewhere)).toMatchObject({
      status: 400,
      body: { data: { token: { params: { rule: 'connectionToken' } } } },
    })
    const again = { ...elsewhere, token: 'another' }
    expect(await ask(reader.client, 'PATCH', update, again)).toMatchObject({ status: 200 })
    const other = await fixture.reader(`other${count}`)
    expect(await ask(other.client, 'PATCH', update, again)).toMatchObject({ status: 404 })
  })

  test.each([
    [{ address: 'ftp://example.org' }, 'address', 'webhookAddress'],
    [{ address: 'https://me:pass@example.org' }, 'address', 'webhookAddress'],
    [{ address: '' }, 'address', 'webhookAddress'],
    [{ token: '' }, 'token', 'required'],
    [{ token: 'a\nb' }, 'token', 'connectionToken'],
    [{ token: 'ключ' }, 'token', 'connectionToken'],
  ])('is refused with %j', async (values, field, rule) => {
    const made = {
      kind: 'audiobookshelf',
      name: 'Home',
      address: server.url,
      token: audiobookshelfKey,
      ...values,
    }
    expect(await ask(reader.client, 'POST', path('connections'), made)).toMatchObject({
      status: 400,
      body: { data: { [field]: { params: { rule } } } },
    })
  })
})

describe('a service', () => {
  const get = (url: string, of = services) =>
    of
      .ask({ url, authorization: 'x', answer: z.unknown(), signal: new AbortController().signal })
      .catch((error: unknown) => (error instanceof ServiceError ? error.problem : error))

  test('in a private network is asked only where the operator says so', async () => {
    const strict = openServices([])
    expect(strict.mayReach(server.url)).toBe(false)
    expect(await get(server.url, strict)).toBe('away')
    expect(await get(server.url.replace('127.0.0.1', 'localhost'), strict)).toBe('away')
    expect(server.asked).toEqual([])
    await strict.close()
  })

  test('that takes too long is slow, before and within its answer', async () => {
    server.instead = () => undefined
    expect(await get(server.url)).toBe('slow')
    server.instead = (_request, response) => void response.write('{')
    expect(await get(server.url)).toBe('slow')
  })
})
