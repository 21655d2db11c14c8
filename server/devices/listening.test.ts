import fc from 'fast-check'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { runAllJobs } from '#server/runtime/jobs.ts'
import type { DeviceBook, NewConnection } from '#shared/connection.ts'
import type { UserBook } from '#shared/user-book.ts'
import { addBook, addShelf, openFixture, type Fixture, type Reader } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { storeListening, type ListenedBook, type Session } from './listening.ts'
import { cleanTimes } from './page-times.ts'
import { storeTimes } from './reading-times.ts'
import { pendingDocuments } from './runner.ts'

const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 20)

describeMigratedDatabases('what a reader listens to', (open) => {
  let fixture: Fixture
  let reader: Reader
  let shelf: string
  let connection: NewConnection
  let book: UserBook
  let count = 0
  let document = ''
  let time = new Date('2026-03-10T12:00:00Z')

  beforeAll(async () => {
    fixture = await openFixture(await open(), () => time)
    reader = await fixture.reader('lamplight')
    shelf = (await addShelf(reader, 'Shelf')).id
    const [settings] = await reader.client.collection('settings').getFullList()
    const zone = { time_zone: 'America/New_York' }
    await reader.client.collection('settings').update(settings!.id, zone)
    connection = await reader.client
      .collection('connections')
      .create<NewConnection>({ name: 'Home', kind: 'koreader' })
    return () => fixture.close()
  })
  beforeEach(async () => {
    time = new Date('2026-03-10T12:00:00Z')
    count++
    document = `audiobookshelf:item${count}`
    book = await addBook(reader, shelf, {
      title: `Emma ${'I'.repeat(count)}`,
      authors: ['Jane Austen'],
      page_count: 200,
      status: 'planning',
    })
  })

  const ms = (at: string) => Date.parse(at)
  const session = (id: string, at: string, minutes: number, values: Partial<Session> = {}) => ({
    id,
    started: ms(at),
    seconds: minutes * 60,
    from: 0,
    to: minutes * 60,
    length: 36_000,
    ...values,
  })
  const send = async (values: Partial<ListenedBook> = {}) => {
    const whole: ListenedBook = {
      document,
      title: book.title,
      authors: ['Jane Austen'],
      isbns: [],
      sessions: [],
      percentage: 0,
      changed: time.getTime(),
      finished: 0,
      duration: 36_000,
      ...values,
    }
    const sender = { user: reader.id, connection: connection.id, name: 'Home' }
    return fixture.records.write((tx) => storeListening(tx, sender, whole, { now: time }))
  }
  const apply = () => runAllJobs(pendingDocuments(fixture))
  const device = async (name = document) => {
    const filter = `document = "${name}"`
    return (await reader.client.collection('device_books').getFullList<DeviceBook>({ filter }))[0]!
  }
  const bind = async (book_key: string | undefined, name = document) => {
    await reader.client.collection('device_books').update((await device(name)).id, { book_key })
    await apply()
  }
  const of = (key: string) => ({ filter: `book_key = "${key}"` })
  const log = (key = book.book_key!) =>
    reader.client.collection('progress_log').getFullList({ ...of(key), sort: 'day,source' })
  const readings = async (key = book.book_key!) => {
    const all = await reader.client.collection('readings').getFullList({ ...of(key) })
    return all
      .map(({ started, finished, outcome, source }) => ({ started, finished, outcome, source }))
      .toSorted((a, b) => (a.finished < b.finished ? -1 : 1))
  }
  const now = () => reader.client.collection('user_books').getOne<UserBook>(book.id)

  test('is asked about, and then logged by day and hour', async () => {
    await send({
      percentage: 0.1,
      sessions: [
        // The evening of March 1 in New York.
        session('a', '2026-03-02T02:50:00Z', 30),
        session('b', '2026-03-02T15:00:00Z', 10, { from: 1800, to: 2400 }),
      ],
    })
    await apply()
    expect(await device()).toMatchObject({
      book_key: '',
      proposal: book.book_key,
      device: 'Home',
      percentage: 0.1,
    })
    expect(await log()).toEqual([])
    await bind(book.book_key)
    const [evening, morning] = await log()
    expect(evening).toMatchObject({ day: '2026-03-01', unit: 'minutes', from: 0, to: 30 })
    expect(evening).toMatchObject({ minutes: 30, source: 'device' })
    expect(evening!['hours']).toEqual(
      Array.from({ length: 24 }, (_, hour) => ({ 21: 10, 22: 20 })[hour] ?? 0),
    )
    expect(morning).toMatchObject({ day: '2026-03-02', from: 30, to: 40, minutes: 10 })
    expect(await now()).toMatchObject({ status: 'reading', progress: 20 })
  })

  test('counts for the day that ends at the hour the reader chose', async () => {
    const [settings] = await reader.client.collection('settings').getFullList()
    const endAt = (day_ends: string) =>
      reader.client.collection('settings').update(settings!.id, { day_ends })
    await endAt('2')
    onTestFinished(async () => void (await endAt('')))
    // From half past eleven until half past two in New York, and the morning after.
    const night = session('a', '2026-03-02T04:30:00Z', 180)
    await send({ sessions: [night, session('b', '2026-03-02T15:00:00Z', 10)] })
    await bind(book.book_key)
    const [first, second] = await log()
    expect(first).toMatchObject({ day: '2026-03-01', minutes: 180 })
    expect(first!['hours']).toEqual(
      Array.from({ length: 24 }, (_, hour) => ({ 23: 30, 0: 60, 1: 90 })[hour] ?? 0),
    )
    expect(second).toMatchObject({ day: '2026-03-02', minutes: 10 })
    // Rows that are stored already keep their day.
    await endAt('0')
    const grown = session('a', '2026-03-02T04:30:00Z', 181)
    await send({ sessions: [grown, session('c', '2026-03-03T05:30:00Z', 5)] })
    expect(await log()).toMatchObject([
      { day: '2026-03-01', minutes: 181 },
      { day: '2026-03-02', minutes: 10 },
      { day: '2026-03-03', minutes: 5 },
    ])
  })

  test('binds by itself by its ISBN, once', async () => {
    const isbn = '9780141439587'
    const owned = await addBook(reader, shelf, { title: `Owned ${count}`, isbn, page_count: 100 })
    const sessions = [session('a', '2026-03-09T15:00:00Z', 30)]
    await send({ isbns: ['B002V8L6SI', '0-14-143958-0'], sessions, percentage: 0.5 })
    await apply()
    expect(await device()).toMatchObject({ book_key: owned.book_key })
    expect(await log(owned.book_key)).toMatchObject([{ minutes: 30 }])
    await bind('')
    expect(await log(owned.book_key)).toEqual([])
    time = new Date('2026-03-11T12:00:00Z')
    await send({ isbns: [isbn], sessions, percentage: 0.6 })
    await apply()
    expect(await device()).toMatchObject({ book_key: '' })
    await reader.client.collection('user_books').delete(owned.id)
  })

  test('counts once, and a session that grew counts as it is', async () => {
    await send({ sessions: [session('a', '2026-03-09T15:00:00Z', 10)] })
    await bind(book.book_key)
    const grown = session('a', '2026-03-09T15:00:00Z', 25)
    for (const sessions of [[grown], [grown], [session('a', '2026-03-09T15:00:00Z', 10)], []]) {
      await send({ sessions })
      await apply()
      expect(await log()).toMatchObject([{ day: '2026-03-09', minutes: 25, to: 25 }])
    }
  })

  test('joins the pages of the same day in one row', async () => {
    await send({ sessions: [session('a', '2026-03-09T15:00:00Z', 10)] })
    await bind(book.book_key)
    const sender = { user: reader.id, connection: connection.id, name: 'Kobo' }
    const read = { document: `k${count}`, title: book.title, authors: [] }
    const start = ms('2026-03-09T17:00:00Z') / 1000
    await fixture.records.write((tx) =>
      storeTimes(tx, sender, read, [{ day: '2026-03-09', times: [[40, start, 60, 400]] }]),
    )
    await bind(book.book_key, read.document)
    expect(await log()).toMatchObject([{ unit: 'pages', from: 19, to: 20, minutes: 11 }])
    await bind('')
    expect(await log()).toMatchObject([{ unit: 'pages', from: 19, to: 20, minutes: 1 }])
  })

  test('becomes a finished reading on its day, begun on the first day of listening', async () => {
    const sessions = [
      session('a', '2026-03-02T15:00:00Z', 60),
      session('b', '2026-03-05T15:00:00Z', 60, { from: 3600, to: 36_000 }),
    ]
    await send({ sessions, percentage: 1, finished: ms('2026-03-05T16:00:00Z') })
    await bind(book.book_key)
    expect(await now()).toMatchObject({ status: 'completed', progress: 200 })
    const once = [
      { started: '2026-03-02', finished: '2026-03-05', outcome: 'finished', source: 'device' },
    ]
    expect(await readings()).toEqual(once)
    // Nothing is logged for pages that nobody has seen.
    expect(await log()).toMatchObject([{ unit: 'minutes' }, { unit: 'minutes' }])
    // A finish that is cleared there takes nothing away here, and neither does a new start.
    time = new Date('2026-03-20T12:00:00Z')
    await send({ percentage: 0.05 })
    await apply()
    expect(await now()).toMatchObject({ status: 'completed', progress: 200 })
    expect(await readings()).toEqual(once)
    // The second time through is a reading of its own.
    await send({
      sessions: [session('c', '2026-03-18T15:00:00Z', 30)],
      percentage: 1,
      finished: ms('2026-03-20T11:00:00Z'),
    })
    await apply()
    expect(await readings()).toEqual([
      ...once,
      { started: '2026-03-18', finished: '2026-03-20', outcome: 'finished', source: 'device' },
    ])
    await bind('')
    expect(await readings()).toEqual([])
    expect(await now()).toMatchObject({ status: 'planning', progress: 0 })
  })

  test('ends the reading that the reader has begun, and reopens it if it was another book', async () => {
    await reader.client.collection('user_books').update(book.id, { status: 'reading' })
    time = new Date('2026-03-12T20:00:00Z')
    await send({ percentage: 1, finished: ms('2026-03-12T16:00:00Z') })
    await bind(book.book_key)
    const begun = { started: '2026-03-10', source: 'app' }
    expect(await readings()).toEqual([{ ...begun, finished: '2026-03-12', outcome: 'finished' }])
    await bind('')
    expect(await readings()).toEqual([{ ...begun, finished: '', outcome: 'reading' }])
    expect(await now()).toMatchObject({ status: 'reading' })
  })

  test('leaves what the reader says of a finish as it is', async () => {
    await reader.client.collection('user_books').update(book.id, { status: 'completed' })
    const mine = await readings()
    expect(mine).toMatchObject([{ finished: '2026-03-10', source: 'app' }])
    time = new Date('2026-03-20T12:00:00Z')
    await send({ percentage: 1, finished: ms('2026-03-13T12:00:00Z') })
    await bind(book.book_key)
    expect(await readings()).toEqual(mine)
    // One day later is another time.
    await send({ percentage: 1, finished: ms('2026-03-14T12:00:00Z') })
    await apply()
    expect(await readings()).toHaveLength(1)
    await send({ percentage: 1, finished: ms('2026-03-17T12:00:00Z') })
    await apply()
    expect(await readings()).toHaveLength(2)
    // What the reader removes doesn't come back.
    const added = await reader.client
      .collection('readings')
      .getFirstListItem(`book_key = "${book.book_key}" && source = "device"`)
    await reader.client.collection('readings').delete(added.id)
    await send({ percentage: 1, finished: ms('2026-03-17T12:00:01Z') })
    await apply()
    expect(await readings()).toEqual(mine)
  })

  test('of a clock that is ahead waits until it is past', async () => {
    const ahead = { sessions: [session('a', '2026-03-11T15:00:00Z', 10)], percentage: 1 }
    await send({
      ...ahead,
      finished: ms('2026-03-11T16:00:00Z'),
      changed: ms('2026-03-11T16:00:00Z'),
    })
    await bind(book.book_key)
    expect(await log()).toEqual([])
    expect(await readings()).toEqual([])
    time = new Date('2026-03-11T17:00:00Z')
    await send({ ...ahead, finished: ms('2026-03-11T16:00:00Z') })
    await apply()
    expect(await log()).toMatchObject([{ minutes: 10 }])
    expect(await readings()).toMatchObject([{ finished: '2026-03-11' }])
  })

  test('brings no book back that the reader has given up', async () => {
    await reader.client.collection('user_books').update(book.id, { status: 'dropped' })
    time = new Date('2026-03-20T12:00:00Z')
    await send({ percentage: 0.5, sessions: [session('a', '2026-03-14T15:00:00Z', 10)] })
    await bind(book.book_key)
    await send({ percentage: 1, finished: ms('2026-03-19T12:00:00Z') })
    await apply()
    expect(await now()).toMatchObject({ status: 'dropped', progress: 0 })
    expect(await readings()).toMatchObject([
      { outcome: 'dropped' },
      { outcome: 'finished', finished: '2026-03-19' },
    ])
  })

  /** Something that a source sends. */
  type Sent =
    | { kind: 'kobo'; page: number; start: number; seconds: number }
    | { kind: 'home' | 'phone'; session: number; day: number; minutes: number }
    | { kind: 'finish'; source: 'home' | 'phone'; day: number }

  test('is the same in whichever order three sources send it, and however often', async () => {
    const day0 = ms('2026-03-02T17:00:00Z')
    const dayLength = 86_400_000
    const anyDay = fc.integer({ min: 0, max: 6 })
    const oneSent: fc.Arbitrary<Sent> = fc.oneof(
      fc.record({
        kind: fc.constant('kobo' as const),
        page: fc.integer({ min: 1, max: 5 }),
        start: fc.integer({ min: 0, max: 7 * 24 * 4 - 1 }).map((quarter) => quarter * 900),
        seconds: fc.integer({ min: 5, max: 120 }),
      }),
      fc.record({
        kind: fc.constantFrom('home' as const, 'phone' as const),
        session: fc.integer({ min: 1, max: 1000 }),
        day: anyDay,
        minutes: fc.integer({ min: 1, max: 90 }),
      }),
      fc.record({
        kind: fc.constant('finish' as const),
        source: fc.constantFrom('home' as const, 'phone' as const),
        // Two weeks, for those who listen again.
        day: fc.integer({ min: 0, max: 14 }),
      }),
    )
    const keyOf = (one: Sent) =>
      one.kind === 'kobo'
        ? `kobo ${one.page} ${one.start}`
        : one.kind === 'finish'
          ? `finish ${one.source} ${one.day}`
          : `${one.kind} ${one.session}`
    const timeOf = (one: Sent) => (one.kind === 'kobo' ? one.start * 1000 : one.day * dayLength)
    const week = fc
      .array(oneSent, { minLength: 1, maxLength: 20 })
      .map((all) => [...new Map(all.map((one) => [keyOf(one), one])).values()])
      .map((all) => all.toSorted((a, b) => timeOf(a) - timeOf(b)))
    const sender = { user: reader.id, connection: connection.id, name: 'Any' }
    const documents = { kobo: 'shuffled', home: 'audiobookshelf:home', phone: 'audiobookshelf:out' }

    async function store(one: Sent, share = 1): Promise<void> {
      if (one.kind === 'kobo') {
        const start = day0 / 1000 + one.start
        const day = new Date(start * 1000).toISOString().slice(0, 10)
        const seconds = Math.ceil(one.seconds * share)
        const times = cleanTimes([[one.page, start, seconds, 400]])
        const named = { document: documents.kobo, title: '', authors: [] }
        await fixture.records.write((tx) => storeTimes(tx, sender, named, [{ day, times }]))
        return
      }
      const at = day0 + one.day * dayLength
      const isFinish = one.kind === 'finish'
      const length = 36_000
      const seconds = isFinish ? 0 : Math.ceil(one.minutes * share) * 60
      const heard = { id: isFinish ? '' : String(one.session), started: at, from: 0, length }
      await send({
        document: documents[isFinish ? one.source : one.kind],
        title: '',
        sessions: isFinish ? [] : [{ ...heard, seconds, to: seconds }],
        finished: isFinish ? at : 0,
        changed: at,
      })
    }

    async function reset(begun: boolean): Promise<void> {
      await fixture.records.write(async (tx) => {
        const names = ['listening_sessions', 'reading_times', 'device_books'] as const
        for (const name of names)
          for (const { id } of await reader.client.collection(name).getFullList())
            await tx.delete(name, id)
        for (const name of ['readings', 'progress_log', 'user_books'] as const)
          for (const { id } of await reader.client.collection(name).getFullList(of(book.book_key!)))
            await tx.delete(name, id)
        for (const name of Object.values(documents)) {
          const bound = { book_key: book.book_key!, timed_key: book.book_key! }
          await tx.create('device_books', { user: reader.id, document: name, ...bound })
        }
      })
      time = new Date(day0)
      const { title, page_count } = book
      const status = begun ? 'reading' : 'planning'
      book = await addBook(reader, shelf, { title, authors: ['Jane Austen'], page_count, status })
      time = new Date(day0 + 15 * dayLength)
      // A session ends after two weeks without use.
      reader.client = await fixture.signIn('lamplight')
    }

    async function result() {
      await apply()
      const { status, progress } = await now()
      const rows = (await log()).map(({ day, unit, from, to, minutes, hours }) => ({
        day,
        unit,
        from,
        to,
        minutes,
        hours,
      }))
      return { status, progress, rows, readings: await readings() }
    }

    const repeats = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 3 }), fc.double({ min: 0.1, max: 1, noNaN: true })),
      { minLength: 20, maxLength: 20 },
    )
    await fc.assert(
      fc.asyncProperty(
        week,
        repeats,
        fc.boolean(),
        fc.infiniteStream(fc.nat()),
        async (all, often, begun, random) => {
          await reset(begun)
          for (const one of all) {
            await store(one)
            await apply()
          }
          const inOrder = await result()
          const heard = all.reduce(
            (sum, one) =>
              sum + (one.kind === 'kobo' ? one.seconds / 60 : 'minutes' in one ? one.minutes : 0),
            0,
          )
          const logged = inOrder.rows.reduce((sum, row) => sum + Number(row.minutes), 0)
          expect(Math.abs(logged - heard)).toBeLessThan(0.01 * (inOrder.rows.length + 1))
          const ends = inOrder.readings
            .map(({ finished }) => Date.parse(finished))
            .filter((end) => !Number.isNaN(end))
          for (const [i, end] of ends.slice(1).entries())
            expect(end - ends[i]!).toBeGreaterThan(3 * dayLength)

          await reset(begun)
          const sent = all.flatMap((one, i) => {
            const [times, share] = often[i]!
            return [
              [one, 1] as const,
              ...Array.from({ length: times - 1 }, () => [one, share] as const),
            ]
          })
          const shuffled = sent
            .map((one) => [random.next().value, one] as const)
            .toSorted(([a], [b]) => a - b)
            .map(([, one]) => one)
          for (const [i, [one, share]] of shuffled.entries()) {
            await store(one, share)
            if (i % 3 === 0) await apply()
          }
          expect(await result()).toEqual(inOrder)
        },
      ),
      { numRuns, endOnFailure: true },
    )
  }, 3_600_000)
})
