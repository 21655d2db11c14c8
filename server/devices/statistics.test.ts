import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { diskStorage, type FileStorage } from '#records/index.ts'
import { runAllJobs } from '#server/runtime/jobs.ts'
import { readStatistics as readFigures } from '#server/library/statistics.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { addBook, addShelf, openFixture, type Fixture, type Reader } from '#tests/access/fixture.ts'
import {
  KoreaderDevice,
  statisticsFile,
  type ReadBook,
  type ReadPage,
} from '#tests/koreader-device.ts'
import type { DeviceBook, NewConnection } from '#shared/connection.ts'
import type { UserBook } from '#shared/user-book.ts'
import { cleanTimes } from './page-times.ts'
import { sentFiles } from './read-files.ts'
import { storeTimes } from './reading-times.ts'
import { pendingDocuments } from './runner.ts'
import { storePush } from './store-push.ts'

/** Seconds since 1970. */
const at = (time: string) => Date.parse(time) / 1000

describeMigratedDatabases('KOReader’s statistics', (open) => {
  let fixture: Fixture
  let storage: FileStorage
  let folder: string
  let reader: Reader
  let shelf: string
  let connection: NewConnection
  let kobo: KoreaderDevice
  let book: UserBook
  let read: ReadBook
  let warnings: object[] = []
  let count = 0
  let time = new Date('2026-03-05T12:00:00Z')

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'octavo-statistics-'))
    storage = diskStorage(join(folder, 'files'))
    fixture = await openFixture(await open(), () => time, storage)
    reader = await fixture.reader('lamplight')
    shelf = (await addShelf(reader, 'Shelf')).id
    const [settings] = await reader.client.collection('settings').getFullList()
    await reader.client
      .collection('settings')
      .update(settings!.id, { time_zone: 'America/New_York' })
    return async () => {
      await fixture.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
  beforeEach(async () => {
    time = new Date('2026-03-05T12:00:00Z')
    warnings = []
    await fixture.records.write(async (tx) => {
      for (const name of ['device_files', 'device_books', 'reading_times'] as const)
        for (const { id } of await reader.client.collection(name).getFullList())
          await tx.delete(name, id)
    })
    count++
    read = { md5: `d${count}`, title: `Emma ${'I'.repeat(count)}`, authors: 'Jane Austen' }
    book = await addBook(reader, shelf, {
      title: read.title,
      authors: ['Jane Austen'],
      page_count: 200,
      status: 'planning',
    })
    connection = await reader.client
      .collection('connections')
      .create<NewConnection>({ name: 'Kobo in bed', kind: 'koreader' })
    kobo = deviceOf(connection)
  })

  const deviceOf = (by: NewConnection) =>
    new KoreaderDevice((path, init) => fixture.fetch(path, init), by, [read])
  const page = (number: number, start: string, seconds = 60): ReadPage => ({
    md5: read.md5,
    page: number,
    start: at(start),
    seconds,
    pages: 400,
  })
  const devices = () => reader.client.collection('device_books').getFullList<DeviceBook>()
  const log = (key = book.book_key) => {
    const filter = `book_key = "${key}"`
    return reader.client.collection('progress_log').getFullList({ filter, sort: 'day,source' })
  }
  const bind = async (book_key: string | undefined) => {
    await reader.client.collection('device_books').update((await devices())[0]!.id, { book_key })
    await apply()
  }
  const send = (file: Uint8Array, path = '/statistics.sqlite3') =>
    kobo.request('PUT', path, {}, new Uint8Array(file))
  async function apply(): Promise<void> {
    const log = { warn: (said: object) => void warnings.push(said) }
    await runAllJobs(sentFiles({ ...fixture, storage, folder, log, now: () => time }))
    await runAllJobs(pendingDocuments(fixture))
  }

  test('ask which book it is, and then log its reading time by day', async () => {
    kobo.read(
      // The evening of March 1 in New York, and the morning of the next day.
      page(10, '2026-03-02T02:00:00Z', 90),
      page(11, '2026-03-02T02:02:00Z', 120),
      page(12, '2026-03-02T14:00:00Z', 45),
      page(40, '2026-03-02T15:00:00Z', 30),
    )
    await kobo.sync('/koreader/statistics.sqlite3')
    await apply()
    expect(await devices()).toMatchObject([
      {
        document: read.md5,
        title: read.title,
        authors: ['Jane Austen'],
        device: 'Kobo in bed',
        percentage: 0.1,
        pushed: '2026-03-02 15:00:00.000Z',
        book_key: '',
        proposal: book.book_key,
      },
    ])
    expect(await log()).toEqual([])
    await bind(book.book_key)
    const [first, second] = await log()
    expect(first).toMatchObject({ day: '2026-03-01', unit: 'pages', from: 5, to: 6, minutes: 3.5 })
    expect(second).toMatchObject({ day: '2026-03-02', from: 19, to: 20, minutes: 1.25 })
    expect(second).toMatchObject({ source: 'device', at: '2026-03-02 15:00:30.000Z' })
    const told = await readFigures(
      fixture.database,
      reader.username,
      reader.id,
      { year: '2026' },
      time,
    )
    expect(told?.figures.find(({ id }) => id === 'minutes_logged')?.value).toBe(5)
    const hours = told?.figures.find(({ id }) => id === 'by_hour')?.parts
    expect(hours?.filter(({ value }) => value > 0)).toEqual([
      { key: '9', value: 1, filter: '' },
      { key: '10', value: 1, filter: '' },
      { key: '21', value: 4, filter: '' },
    ])
    const others = await readFigures(fixture.database, reader.username, '', { year: '2026' }, time)
    expect(others?.figures.find(({ id }) => id === 'minutes_logged')).toBeUndefined()
    expect(others?.figures.find(({ id }) => id === 'by_hour')).toBeUndefined()
    // The device's progress sync knows of no position yet, and starts from the beginning.
    expect((await reader.client.collection('user_books').getOne(book.id))['progress']).toBe(0)
  })

  test('count for the day that ends at the hour the reader chose', async () => {
    const [settings] = await reader.client.collection('settings').getFullList()
    const endAt = (day_ends: string) =>
      reader.client.collection('settings').update(settings!.id, { day_ends })
    await endAt('6')
    onTestFinished(async () => void (await endAt('')))
    // Before and after six in New York.
    kobo.read(page(10, '2026-03-02T10:59:00Z', 60), page(11, '2026-03-02T11:00:00Z', 30))
    await kobo.sync('/koreader/statistics.sqlite3')
    await apply()
    await bind(book.book_key)
    const days = [
      { day: '2026-03-01', minutes: 1 },
      { day: '2026-03-02', minutes: 0.5 },
    ]
    expect(await log()).toMatchObject(days)
    // Rows that are stored already keep their day.
    await endAt('0')
    kobo.read(page(12, '2026-03-02T10:50:00Z', 60), page(13, '2026-03-03T05:30:00Z', 60))
    await kobo.sync('/koreader/statistics.sqlite3')
    await apply()
    expect(await log()).toMatchObject([
      { day: '2026-03-01', minutes: 2 },
      days[1],
      { day: '2026-03-03', minutes: 1 },
    ])
  })

  test('apply each row once, and its longest time, from any device', async () => {
    kobo.read(page(1, '2026-03-02T15:00:00Z', 60), page(2, '2026-03-02T15:01:00Z', 60))
    await kobo.sync()
    await apply()
    await bind(book.book_key)
    const boox = deviceOf(
      await reader.client
        .collection('connections')
        .create<NewConnection>({ name: 'Boox', kind: 'koreader' }),
    )
    boox.read(page(2, '2026-03-02T15:01:00Z', 100), page(3, '2026-03-03T15:00:00Z', 30))
    await boox.sync()
    await apply()
    const rows = await log()
    expect(rows.map(({ day, minutes }) => [day, minutes])).toEqual([
      ['2026-03-02', 2.67],
      ['2026-03-03', 0.5],
    ])
    await kobo.sync()
    await apply()
    // A file from before, or without what was in it, takes nothing away.
    await send(statisticsFile([read], [page(2, '2026-03-02T15:01:00Z', 10)]))
    await apply()
    await send(statisticsFile([read], []), '/elsewhere/statistics.sqlite3')
    await apply()
    expect(await log()).toEqual(rows)
    expect(warnings).toEqual([])
  })

  test('of many days are applied in turns, whatever the reader says meanwhile', async () => {
    const right = await addBook(reader, shelf, { title: `Right ${count}`, page_count: 100 })
    const days = Array.from({ length: 120 }, (_, n) =>
      new Date(Date.parse('2025-06-01T03:00:00Z') + n * 86_400_000).toISOString(),
    )
    kobo.read(...days.map((day, n) => page(n + 1, day)))
    await kobo.sync()
    await apply()
    const jobs = pendingDocuments(fixture)
    const { signal } = new AbortController()
    /** Does one part of the work. */
    const turn = async () => jobs.run((await jobs.next())!, signal)
    const say = async (book_key: string | undefined) =>
      reader.client.collection('device_books').update((await devices())[0]!.id, { book_key })
    await say(book.book_key)
    await turn()
    const some = (await log()).length
    expect(some).toBeGreaterThan(0)
    expect(some).toBeLessThan(120)
    // Days that arrive in the middle are applied too.
    kobo.read(page(200, days[0]!.replace('03:00', '03:30'), 90))
    await kobo.sync()
    await runAllJobs(sentFiles({ ...fixture, storage, folder, log: fixture.log, now: () => time }))
    await runAllJobs(jobs)
    const all = await log()
    expect(all).toHaveLength(120)
    expect(all[0]).toMatchObject({ minutes: 2.5 })
    // Half taken back, and given again; the other way round; another process goes on.
    await say(right.book_key)
    await turn()
    await say(book.book_key)
    await runAllJobs(pendingDocuments(fixture))
    expect(await log()).toMatchObject(all.map(({ day, minutes }) => ({ day, minutes })))
    expect(await log(right.book_key)).toEqual([])
    await say('')
    await runAllJobs(jobs)
    expect(await log()).toEqual([])
    await say(book.book_key)
    await turn()
    await say('')
    await runAllJobs(jobs)
    expect(await log()).toEqual([])
    await say(book.book_key)
    await turn()
    await say(right.book_key)
    await turn()
    await runAllJobs(pendingDocuments(fixture))
    expect(await log()).toEqual([])
    expect(await log(right.book_key)).toHaveLength(120)
  })

  test('are taken back with a wrong binding, and applied to the right book', async () => {
    const right = await addBook(reader, shelf, { title: `Right ${count}`, page_count: 100 })
    kobo.read(page(40, '2026-03-02T15:00:00Z'))
    await kobo.sync()
    await apply()
    await bind(book.book_key)
    expect(await log()).toHaveLength(1)
    await bind(right.book_key)
    expect(await log()).toEqual([])
    expect(await log(right.book_key)).toMatchObject([{ minutes: 1, from: 10, to: 10 }])
    await bind('')
    expect(await log(right.book_key)).toEqual([])
    // Days that arrive in the middle wait too.
    kobo.read(page(41, '2026-03-03T15:00:00Z'))
    await kobo.sync()
    await apply()
    await bind(book.book_key)
    expect(await log()).toMatchObject([{ day: '2026-03-02' }, { day: '2026-03-03' }])
  })

  test('replace what pushes logged on their days, and stand for the next ones', async () => {
    const push = (percentage: number) =>
      storePush(
        fixture.records,
        { id: connection.id, user: reader.id },
        {
          document: read.md5,
          title: '',
          authors: [],
          filename: '',
          device: 'Kobo',
          device_id: '1',
          progress: '/body',
          percentage,
        },
        time,
      )
    await reader.client.collection('user_books').update(book.id, { status: 'reading' })
    time = new Date('2026-03-06T15:00:00Z')
    await push(0.1)
    await apply()
    await bind(book.book_key)
    expect(await log()).toMatchObject([{ day: '2026-03-06', from: 0, to: 20, minutes: 0 }])
    kobo.read(page(21, '2026-03-06T14:50:00Z', 120), page(40, '2026-03-06T14:52:00Z', 60))
    await kobo.sync()
    await apply()
    expect(await log()).toMatchObject([{ day: '2026-03-06', from: 19, to: 20, minutes: 3 }])
    time = new Date('2026-03-08T15:00:00Z')
    await push(0.2)
    await apply()
    const { progress } = await reader.client.collection('user_books').getOne<UserBook>(book.id)
    expect(progress).toBe(40)
    expect(await log()).toHaveLength(1)
    // No statistics for more than a week.
    time = new Date('2026-03-18T15:00:00Z')
    await push(0.3)
    await apply()
    expect((await log()).map(({ day, minutes }) => [day, minutes])).toEqual([
      ['2026-03-06', 3],
      ['2026-03-18', 0],
    ])
    await bind('')
    expect(await log()).toEqual([])
  })

  test('leave pages to what the reader enters on the same day', async () => {
    kobo.read(page(40, '2026-03-05T10:00:00Z'), page(60, '2026-03-05T10:01:00Z'))
    await kobo.sync()
    await apply()
    await bind(book.book_key)
    await reader.client
      .collection('user_books')
      .update(book.id, { progress: 30, status: 'reading' })
    kobo.read(page(61, '2026-03-05T11:00:00Z'))
    await kobo.sync()
    await apply()
    expect(await log()).toMatchObject([
      { source: 'app', from: 0, to: 30, minutes: 0 },
      { source: 'device', from: 31, to: 31, minutes: 3 },
    ])
  })

  test('of a document without a push are no position for its progress sync', async () => {
    kobo.read(page(40, '2026-03-02T15:00:00Z'))
    await kobo.sync()
    await apply()
    const { username, password } = connection
    const { createHash } = await import('node:crypto')
    const key = createHash('md5').update(password).digest('hex')
    const answer = await fixture.fetch(`/kosync/syncs/progress/${read.md5}`, {
      headers: { 'x-auth-user': username, 'x-auth-key': key },
    })
    expect(await answer.json()).toEqual({})
  })

  test('stay when a connection is revoked, and go with the library', async () => {
    kobo.read(page(40, '2026-03-02T15:00:00Z'))
    await kobo.sync()
    await apply()
    await reader.client.collection('connections').delete(connection.id)
    await apply()
    const times = () => reader.client.collection('reading_times').getFullList()
    expect(await times()).toMatchObject([{ document: read.md5, day: '2026-03-02' }])
    const other = await fixture.reader(`gone${count}`)
    await fixture.records.write((tx) =>
      tx.create('reading_times', { user: other.id, document: 'a', day: '2026-03-02' }),
    )
    await other.client.send('/api/v1/account/reset', { method: 'POST' })
    expect(await other.client.collection('reading_times').getFullList()).toEqual([])
    expect(await times()).toHaveLength(1)
  })

  test('that can’t be read are kept, and read no more', async () => {
    await send(Buffer.from('no database'))
    await apply()
    expect(warnings).toHaveLength(1)
    await apply()
    expect(warnings).toHaveLength(1)
    expect((await kobo.request('GET', '/statistics.sqlite3')).status).toBe(200)
    expect(await devices()).toEqual([])
  })

  test('give the same result in whichever order, however often and from whichever device', async () => {
    const other = { ...read, md5: `${read.md5}x` }
    const names = [read.md5, other.md5]
    const start = at('2026-02-20T00:00:00Z')
    const onePage = fc.record({
      document: fc.constantFrom(...names),
      page: fc.integer({ min: 1, max: 5 }),
      // Some begin at the same time on both devices.
      start: fc.integer({ min: 0, max: 7 * 24 * 4 }).map((quarter) => start + quarter * 900),
      seconds: fc.integer({ min: 5, max: 120 }),
    })
    type Page = { document: string; page: number; start: number; seconds: number }
    const week = fc.array(onePage, { minLength: 1, maxLength: 25 }).map((pages) => {
      const keyed = new Map(pages.map((one) => [`${one.document} ${one.page} ${one.start}`, one]))
      return [...keyed.values()].toSorted((a, b) => a.start - b.start)
    })
    // How often each is sent, and how much of it at first.
    const repeats = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 3 }), fc.double({ min: 0.1, max: 1, noNaN: true })),
      {
        minLength: 25,
        maxLength: 25,
      },
    )
    const sender = { user: reader.id, connection: connection.id, name: 'Kobo' }

    async function store(pages: readonly Page[]): Promise<void> {
      for (const document of names) {
        const days = Map.groupBy(
          pages.filter((one) => one.document === document),
          (one) => new Date(one.start * 1000).toISOString().slice(0, 10),
        )
        const times = [...days]
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([day, all]) => ({
            day,
            times: cleanTimes(all.map((one) => [one.page, one.start, one.seconds, 400] as const)),
          }))
        const found = { document, title: '', authors: [] }
        await fixture.records.write((tx) => storeTimes(tx, sender, found, times))
      }
    }

    async function reset(): Promise<void> {
      await fixture.records.write(async (tx) => {
        for (const { id } of await reader.client.collection('reading_times').getFullList())
          await tx.delete('reading_times', id)
        for (const { id } of await log()) await tx.delete('progress_log', id)
        for (const { id } of await devices()) await tx.delete('device_books', id)
        for (const document of names)
          await tx.create('device_books', {
            user: reader.id,
            document,
            book_key: book.book_key,
            timed_key: book.book_key,
          })
      })
    }

    const result = async () =>
      (await log()).map(({ day, unit, from, to, minutes, source, at: last }) => ({
        day,
        unit,
        from,
        to,
        minutes,
        source,
        last,
      }))

    await fc.assert(
      fc.asyncProperty(week, repeats, fc.infiniteStream(fc.nat()), async (pages, often, random) => {
        await reset()
        for (const one of pages) await store([one])
        const inOrder = await result()
        const seconds = pages.reduce((sum, one) => sum + one.seconds, 0)
        const minutes = inOrder.reduce((sum, one) => sum + Number(one.minutes), 0)
        expect(Math.abs(minutes - seconds / 60)).toBeLessThan(0.01 * (inOrder.length + 1))

        await reset()
        const sent = pages.flatMap((one, i) => {
          const [times, share] = often[i]!
          const grown = { ...one, seconds: Math.ceil(one.seconds * share) }
          return [one, ...Array.from({ length: times - 1 }, () => grown)]
        })
        const shuffled = sent
          .map((one) => [random.next().value, one] as const)
          .toSorted(([a], [b]) => a - b)
          .map(([, one]) => one)
        // Files hold several rows each.
        for (let from = 0; from < shuffled.length; from += 7)
          await store(shuffled.slice(from, from + 7))
        expect(await result()).toEqual(inOrder)
      }),
      { numRuns: 20, endOnFailure: true },
    )
  }, 120_000)
})
