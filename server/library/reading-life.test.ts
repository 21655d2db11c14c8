import { beforeEach, describe, expect, test } from 'vitest'
import type { Reading } from '#shared/reading.ts'
import type { UserBook } from '#shared/user-book.ts'
import {
  addBook,
  addShelf,
  ask,
  openFixture,
  path,
  type Reader,
  type Fixture,
} from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { plansOf } from '#tests/plans.ts'
import { listDiary } from './diary.ts'
import { firstOther } from './reading-facts.ts'
import { listTags } from './tags.ts'
import { listTrash } from './trash.ts'

const isbn = '9780141439471'

describeMigratedDatabases('a reading life', (open) => {
  let fixture: Fixture
  let reader: Reader
  let first: string
  let second: string
  let clock: number

  beforeEach(async () => {
    clock = Date.parse('2026-03-28T12:00:00Z')
    fixture = await openFixture(await open(), () => new Date(clock++))
    reader = await fixture.reader('reader')
    first = (await addShelf(reader, 'First shelf')).id
    second = (await addShelf(reader, 'Second shelf')).id
    return () => fixture.close()
  })

  const books = () => reader.client.collection('user_books')
  const add = (shelf: string, more: Partial<UserBook> = {}) =>
    addBook(reader, shelf, { title: 'Frankenstein', isbn, page_count: 300, ...more })
  const edit = (id: string, change: Partial<UserBook>, query: Record<string, string> = {}) =>
    books().update<UserBook>(id, change, { query })
  const readings = async () =>
    (await reader.client.collection('readings').getFullList<Reading>({ sort: 'created,id' })).map(
      ({ started, finished, outcome, rating }) => [started, finished, outcome, rating],
    )
  const logs = async () =>
    (await reader.client.collection('progress_log').getFullList({ sort: 'day,at' })).map(
      ({ day, from, to, unit }) => [day, from, to, unit] as unknown[],
    )
  const timeline = async () =>
    (await reader.client.collection('activities').getFullList({ sort: 'created' })).map(
      ({ event_type }) => event_type as unknown,
    )
  const pass = (hours: number) => (clock += hours * 3_600_000)

  describe('on several shelves', () => {
    const state = { rating: 7, tags: ['Gothic'], notes: 'mine', review: 'Good', format: 'ebook' }

    test('is one', async () => {
      const { id } = await add(first, { status: 'planning' })
      const copy = await add(second, { status: 'planning' })
      await edit(id, { ...state, format: 'ebook', status: 'reading', progress: 30 })
      expect(await books().getOne(copy.id)).toMatchObject({ ...state, progress: 30 })
      await edit(copy.id, { status: 'completed', isPrivate: true })
      const ended = { ...state, status: 'completed', progress: 300, isPrivate: true }
      expect(await books().getOne(id)).toMatchObject(ended)
      expect(await timeline()).toEqual([
        'planning',
        'planning',
        'reading',
        'progress_updated',
        'completed',
      ])
      expect(await readings()).toEqual([['2026-03-28', '2026-03-28', 'finished', 7]])
    })

    test('changes nothing that is known when it is added to another shelf', async () => {
      await add(first, { ...state, format: 'ebook', status: 'reading', progress: 120 })
      const known = { ...state, status: 'reading', progress: 120, isPrivate: false }
      const before = await timeline()
      // As the scanner adds it, as a form does, and as a client may in a batch.
      const scanned = await add(second, { status: 'planning', progress: 0, rating: 0 })
      expect(scanned).toMatchObject(known)
      const said = { status: 'dropped', rating: 2, progress: 7, isPrivate: true } as const
      const third = await addShelf(reader, 'Third shelf')
      expect(await add(third.id, { ...said, tags: ['x'], notes: 'x' })).toMatchObject(known)
      const fourth = await addShelf(reader, 'Fourth shelf')
      const batch = reader.client.createBatch()
      batch
        .collection('user_books')
        .create({ title: 'Frankenstein', isbn, shelf: fourth.id, ...said })
      expect((await batch.send())[0]?.body).toMatchObject(known)
      const copies = await books().getFullList()
      expect(copies).toHaveLength(4)
      for (const copy of copies) expect(copy).toMatchObject(known)
      expect(await timeline()).toEqual(before)
      expect(await readings()).toEqual([['2026-03-28', '', 'reading', 0]])
      expect(await logs()).toEqual([])
      await edit(scanned.id, { progress: 130 })
      for (const { progress } of await books().getFullList()) expect(progress).toBe(130)
    })

    test('keeps what is known when another record becomes the same book', async () => {
      await add(first, { ...state, format: 'ebook', status: 'reading', progress: 120 })
      const other = await add(second, { title: 'Modern Prometheus', isbn: '', status: 'planning' })
      const before = await timeline()
      const joined = await edit(other.id, { isbn })
      expect(joined).toMatchObject({ ...state, status: 'reading', progress: 120 })
      for (const copy of await books().getFullList())
        expect(copy).toMatchObject({ ...state, status: 'reading', progress: 120 })
      expect(await timeline()).toEqual(before)
      expect(await readings()).toEqual([['2026-03-28', '', 'reading', 0]])
      expect(await logs()).toEqual([])
    })

    test('keeps the page of a longer edition when a shorter one is added or rated', async () => {
      const long = await add(first, { status: 'reading', progress: 250 })
      const short = await add(second, { page_count: 200 })
      expect(short).toMatchObject({ progress: 200, page_count: 200 })
      await edit(short.id, { rating: 8 })
      expect(await books().getOne(long.id)).toMatchObject({ progress: 250, rating: 8 })
      expect(await logs()).toEqual([])
    })

    test('comes from the trash as it is now', async () => {
      const { id } = await add(first, { status: 'reading' })
      const copy = await add(second)
      await books().delete(copy.id)
      await edit(id, { rating: 9, status: 'completed' })
      const form = { collection: 'user_books', ids: [copy.id] }
      expect((await ask(reader.client, 'POST', '/api/v1/library/restore', form)).status).toBe(204)
      expect(await books().getOne(copy.id)).toMatchObject({ rating: 9, status: 'completed' })
    })

    test('comes from the trash as it is now with its whole shelf', async () => {
      const stranger = await fixture.reader('stranger')
      const { id } = await add(first, { status: 'reading' })
      const copy = await add(second)
      await reader.client.collection('bookshelves').delete(second)
      await edit(id, { rating: 9, status: 'completed', isPrivate: true })
      const form = { collection: 'bookshelves', ids: [second] }
      expect((await ask(reader.client, 'POST', '/api/v1/library/restore', form)).status).toBe(204)
      const now = { rating: 9, status: 'completed', progress: 300, isPrivate: true }
      expect(await books().getOne(copy.id)).toMatchObject({ ...now, progress_average: 100 })
      expect(await stranger.client.collection('user_books').getFullList()).toEqual([])
      expect(await reader.client.collection('bookshelves').getOne(second)).toMatchObject({
        book_count: 0,
        private_count: 1,
      })
    })
  })

  describe('by its status', () => {
    test('has a reading for each time', async () => {
      const { id } = await add(first, { status: 'planning' })
      expect(await readings()).toEqual([])
      await edit(id, { status: 'reading' })
      pass(24)
      await edit(id, { status: 'paused' })
      await edit(id, { status: 'reading' })
      expect(await readings()).toEqual([['2026-03-28', '', 'reading', 0]])
      await edit(id, { status: 'completed' })
      await edit(id, { rating: 8 })
      pass(24)
      await edit(id, { status: 'reading', progress: 0 })
      pass(24)
      await edit(id, { status: 'dropped' })
      expect(await readings()).toEqual([
        ['2026-03-28', '2026-03-29', 'finished', 8],
        ['2026-03-30', '2026-03-31', 'dropped', 0],
      ])
    })

    test('is taken back with it', async () => {
      const { id } = await add(first, { status: 'reading' })
      pass(24)
      await edit(id, { status: 'completed' })
      await edit(id, { status: 'reading' }, { undo: 'true' })
      expect(await readings()).toEqual([['2026-03-28', '', 'reading', 0]])
      await edit(id, { status: 'completed' })
      pass(24)
      await edit(id, { status: 'reading' })
      await edit(id, { status: 'completed' }, { undo: 'true' })
      expect(await readings()).toEqual([['2026-03-28', '2026-03-29', 'finished', 0]])
    })

    test('is not, if the clock was ahead then', async () => {
      const { id } = await add(first, { status: 'reading' })
      pass(48)
      await edit(id, { status: 'completed' })
      pass(-24)
      await edit(id, { status: 'reading' }, { undo: 'true' })
      const ended = ['2026-03-28', '2026-03-30', 'finished', 0]
      expect(await readings()).toEqual([ended, ['2026-03-29', '', 'reading', 0]])
      // What came since is taken back.
      await edit(id, { status: 'completed' })
      await edit(id, { status: 'reading' }, { undo: 'true' })
      expect(await readings()).toEqual([ended, ['2026-03-29', '', 'reading', 0]])
    })

    test('that was read before it came here has no day', async () => {
      await add(first, { status: 'completed', rating: 6 })
      expect(await readings()).toEqual([['', '', 'finished', 6]])
    })

    test('keeps its past under another ISBN', async () => {
      const { id } = await add(first, { status: 'reading' })
      await edit(id, { isbn: '', title: 'The Modern Prometheus' })
      const [reading] = await reader.client.collection('readings').getFullList<Reading>()
      expect(reading?.book_key).toBe((await books().getOne<UserBook>(id)).book_key)
    })
  })

  describe('by the reader’s own day', () => {
    test('is the zone that the browser sends, which is kept', async () => {
      clock = Date.parse('2026-03-29T00:30:00Z')
      const { id } = await add(first, { status: 'planning' })
      await edit(id, { status: 'reading' }, { time_zone: 'America/New_York' })
      expect(await readings()).toEqual([['2026-03-28', '', 'reading', 0]])
      // Without one it is the last that was sent, and an unknown one is none.
      await edit(id, { progress: 10 })
      await edit(id, { progress: 20 }, { time_zone: 'Nowhere/At_All' })
      expect(await logs()).toEqual([['2026-03-28', 0, 20, 'pages']])
      const settings = await reader.client.collection('settings').getFirstListItem('')
      expect(settings['time_zone']).toBe('America/New_York')
      const wrong = { time_zone: 'Nowhere/At_All' }
      expect(await ask(reader.client, 'PATCH', path('settings', settings.id), wrong)).toMatchObject(
        {
          status: 400,
          body: { data: { time_zone: {} } },
        },
      )
    })

    test('is the zone in a header, also of a batch', async () => {
      clock = Date.parse('2026-03-28T12:00:00Z')
      const { id } = await add(first, { status: 'planning' })
      const headers = { 'X-Time-Zone': 'Pacific/Kiritimati' }
      const batch = reader.client.createBatch()
      batch.collection('user_books').update(id, { status: 'reading' })
      await batch.send({ headers })
      expect(await readings()).toEqual([['2026-03-29', '', 'reading', 0]])
    })

    test('ends no earlier than it began, also on a journey west', async () => {
      clock = Date.parse('2026-03-28T20:00:00Z')
      const { id } = await add(first, { status: 'planning' })
      await edit(id, { status: 'reading' }, { time_zone: 'Asia/Tokyo' })
      await edit(id, { status: 'completed' }, { time_zone: 'America/Los_Angeles' })
      expect(await readings()).toEqual([['2026-03-29', '2026-03-29', 'finished', 0]])
    })

    /** Reads the first book in Berlin, saving a page at each of some times. */
    async function savePages(saves: readonly (readonly [at: string, page: number])[]) {
      const { id } = await add(first, { status: 'reading' })
      for (const [at, progress] of saves) {
        clock = Date.parse(at)
        await edit(id, { progress }, { time_zone: 'Europe/Berlin' })
      }
    }

    test('folds a day’s pages into one row, also when clocks change', async () => {
      await savePages([
        ['2026-03-28T22:59:00Z', 10],
        ['2026-03-28T23:01:00Z', 20],
        ['2026-03-29T21:59:00Z', 50],
        ['2026-03-29T22:01:00Z', 60],
      ])
      expect(await logs()).toEqual([
        ['2026-03-28', 0, 10, 'pages'],
        ['2026-03-29', 10, 50, 'pages'],
        ['2026-03-30', 50, 60, 'pages'],
      ])
    })

    test('has 25 hours on the day on which clocks go back', async () => {
      clock = Date.parse('2025-10-25T12:00:00Z')
      // A session of that time.
      reader.client = await fixture.signIn('reader')
      await savePages([
        ['2025-10-25T22:01:00Z', 10],
        // Half past two, twice.
        ['2025-10-26T00:30:00Z', 20],
        ['2025-10-26T01:30:00Z', 30],
        ['2025-10-26T22:59:00Z', 40],
        ['2025-10-26T23:01:00Z', 50],
      ])
      expect(await logs()).toEqual([
        ['2025-10-26', 0, 40, 'pages'],
        ['2025-10-27', 40, 50, 'pages'],
      ])
    })

    describe('is that of a change which waited for a connection', () => {
      const friday = Date.parse('2026-03-27T22:30:00Z')
      const monday = Date.parse('2026-03-30T09:00:00Z')
      const hour = 3_600_000
      const hours = (from: number, to = monday) => ({
        'X-Waited': String(to - from),
        'X-Time-Zone': 'Europe/Berlin',
      })
      const entries = async () => {
        const found = await reader.client.collection('activities').getFullList({ sort: 'created' })
        return found.map(({ event_type, created }) => [event_type, String(created).slice(0, 16)])
      }

      test('in progress, reading and timeline, one after the other', async () => {
        clock = friday - 24 * hour
        const { id } = await add(first, { status: 'planning' })
        clock = monday
        const headers = (from: number) => ({ headers: hours(from) })
        await books().update(id, { status: 'reading' }, headers(friday - 2 * hour))
        await books().update(id, { progress: 40 }, headers(friday - hour))
        await books().update(id, { status: 'completed' }, headers(friday))
        expect(await readings()).toEqual([['2026-03-27', '2026-03-27', 'finished', 0]])
        expect((await logs())[0]?.[0]).toBe('2026-03-27')
        expect(await entries()).toEqual([
          ['planning', '2026-03-26 22:30'],
          ['reading', '2026-03-27 20:30'],
          ['progress_updated', '2026-03-27 21:30'],
          ['completed', '2026-03-27 22:30'],
        ])
        // The zone of a change that waited may be one that the reader has left.
        const settings = await reader.client.collection('settings').getFirstListItem('')
        expect(settings['time_zone']).toBe('')
      })

      test('also of a quote', async () => {
        const { book_key } = await add(first, { status: 'reading' })
        clock = monday
        const quotes = reader.client.collection('quotes')
        const quote = { book_key, text: 'Badly done' }
        const { id } = await quotes.create(quote, { headers: hours(monday - hour) })
        const { created } = await quotes.getOne(id)
        expect(String(created).slice(0, 16)).toBe('2026-03-30 08:00')
      })

      test('also of one in a batch, and of a book that is new', async () => {
        clock = monday
        const batch = reader.client.createBatch()
        const book = { shelf: first, title: 'Emma', status: 'reading' }
        batch.collection('user_books').create(book, { headers: hours(monday - hour) })
        await batch.send()
        expect(await entries()).toEqual([['reading', '2026-03-30 08:00']])
      })

      test.for([
        ['not later than now', -72],
        ['not before the book was there', 24 * 365],
        ['now, if it is no number', NaN],
      ] as const)('%s', async ([, waited]) => {
        clock = friday
        const { id } = await add(first, { status: 'planning' })
        clock = monday
        const headers = { 'X-Waited': String(waited * hour), 'X-Time-Zone': 'UTC' }
        await books().update(id, { status: 'reading' }, { headers })
        const day = waited > 0 ? '2026-03-27' : '2026-03-30'
        expect(await readings()).toEqual([[day, '', 'reading', 0]])
      })
    })

    test('ends at the hour they choose, without another day for what is logged', async () => {
      const [settings] = await reader.client.collection('settings').getFullList()
      const endAt = (day_ends: string) =>
        reader.client.collection('settings').update(settings!.id, { day_ends })
      const { id } = await add(first, { status: 'reading' })
      const save = async (at: string, progress: number) => {
        clock = Date.parse(at)
        await edit(id, { progress }, { time_zone: 'Europe/Berlin' })
      }
      await save('2026-03-28T23:30:00Z', 10)
      await endAt('4')
      await save('2026-03-29T23:59:00Z', 20)
      await save('2026-03-30T01:59:00Z', 30)
      await save('2026-03-30T02:00:00Z', 40)
      expect(await logs()).toEqual([
        ['2026-03-29', 0, 30, 'pages'],
        ['2026-03-30', 30, 40, 'pages'],
      ])
      clock = Date.parse('2026-03-31T01:30:00Z')
      await edit(id, { status: 'completed' })
      expect(await readings()).toMatchObject([[expect.any(String), '2026-03-30', 'finished', 0]])
      await expect(endAt('7')).rejects.toMatchObject({
        response: { data: { day_ends: { code: expect.any(String) as string } } },
      })
    })

    test('goes with a reader who travels, over the date line and back', async () => {
      clock = Date.parse('2026-03-28T05:00:00Z')
      const { id } = await add(first, { status: 'planning' })
      const on = async (progress: number, time_zone: string, hours: number) => {
        await edit(id, { status: 'reading', progress }, { time_zone })
        pass(hours)
      }
      await on(10, 'Pacific/Honolulu', 1)
      // There it is a day later at the same hour, and Honolulu's day is gone on with after that.
      await on(20, 'Pacific/Kiritimati', 1)
      await on(30, 'Pacific/Honolulu', 24)
      await on(40, 'Europe/Berlin', 0)
      expect(await logs()).toEqual([
        ['2026-03-27', 0, 30, 'pages'],
        ['2026-03-28', 10, 20, 'pages'],
        ['2026-03-29', 30, 40, 'pages'],
      ])
      expect(await readings()).toEqual([['2026-03-27', '', 'reading', 0]])
    })
  })

  describe('on the day that the reader says', () => {
    test.each(['2026-03-27', '2026-02', '2009', ''])('%j', async (finished) => {
      const { id } = await add(first, { status: 'planning' })
      await edit(id, { status: 'completed' }, { finished })
      expect(await readings()).toEqual([['', finished, 'finished', 0]])
    })

    test('which can be said afterwards, also of an earlier year than it was begun', async () => {
      const { id } = await add(first, { status: 'reading' })
      pass(72)
      await edit(id, { status: 'completed', rating: 7 })
      await edit(id, { status: 'completed' }, { finished: '2026-03-30' })
      expect(await readings()).toEqual([['2026-03-28', '2026-03-30', 'finished', 7]])
      await edit(id, { status: 'completed' }, { finished: '2009' })
      expect(await readings()).toEqual([['', '2009', 'finished', 7]])
      await edit(id, { status: 'reading' }, { undo: 'true' })
      expect(await readings()).toEqual([['', '', 'reading', 0]])
    })

    test('unless the book isn’t completed', async () => {
      const { id } = await add(first, { status: 'planning' })
      await edit(id, { status: 'reading' }, { finished: '2009' })
      expect(await readings()).toEqual([['2026-03-28', '', 'reading', 0]])
    })

    test.each(['spring', '2026-02-30', '2026-04-02', '2027'])('and not %j', async (finished) => {
      const { id } = await add(first, { status: 'planning' })
      const answer = await ask(
        reader.client,
        'PATCH',
        `${path('user_books', id)}?finished=${finished}`,
        { status: 'completed' },
      )
      expect(answer).toMatchObject({ status: 400, body: { data: { finished: {} } } })
      expect(await readings()).toEqual([])
    })
  })

  test('readings are edited, and survive as they are', async () => {
    const { book_key } = await add(first, { status: 'planning' })
    const collection = reader.client.collection('readings')
    const forms = [
      { started: '2023-05-23', finished: '2023-06-07', outcome: 'finished' },
      { started: '2009', finished: '', outcome: 'finished' },
      { started: '2010-02', finished: '2010-05', outcome: 'finished' },
      { started: '2010-03', finished: '2010-04-30', outcome: 'dropped' },
    ]
    for (const form of forms) {
      const { id } = await collection.create({ book_key, ...form })
      expect(await collection.update(id, { rating: 7 })).toMatchObject({ ...form, source: 'app' })
    }
    const answer = await fixture.fetch('/api/v1/account/export', {
      headers: { Authorization: reader.client.authStore.token },
    })
    const { readings } = (await answer.json()) as { readings: Reading[] }
    for (const form of forms) expect(readings).toContainEqual(expect.objectContaining(form))
  })

  test.each<[string, object, string]>([
    ['readings', { outcome: 'finished', started: 'spring' }, 'started'],
    ['readings', { outcome: 'finished', finished: '2023-02-30' }, 'finished'],
    ['readings', { outcome: 'finished', started: '2024', finished: '2023' }, 'finished'],
    ['readings', { outcome: 'reading', finished: '2023' }, 'finished'],
    ['readings', { outcome: 'finished', finished: '2026-04-02' }, 'finished'],
    ['readings', { outcome: 'perhaps' }, 'outcome'],
    ['progress_log', { day: '2026', unit: 'pages' }, 'day'],
    ['progress_log', { day: '2026-01-01', unit: 'miles' }, 'unit'],
    ['progress_log', { day: '2026-01-01', unit: 'pages', reading: 'x'.repeat(15) }, 'reading'],
    ['quotes', { text: ' ' }, 'text'],
    ['quotes', { text: 'x', percent: 101 }, 'percent'],
    ['goals', { year: 12, kind: 'books', target: 3 }, 'year'],
    ['goals', { year: 2026, kind: 'books', target: 0 }, 'target'],
  ])('%s refuse %j', async (collection, form, field) => {
    const { book_key } = await add(first)
    const body = collection === 'goals' ? form : { book_key, ...form }
    expect(await ask(reader.client, 'POST', path(collection), body)).toMatchObject({
      status: 400,
      body: { data: { [field]: {} } },
    })
  })

  test.each<[object, string]>([
    [{ tags: Array.from({ length: 21 }, (_, i) => `Tag ${i}`) }, 'tags'],
    [{ tags: ['x'.repeat(41)] }, 'tags'],
    [{ tags: 'one' }, 'tags'],
    [{ notes: 'x'.repeat(20_001) }, 'notes'],
    [{ review: 'x'.repeat(20_001) }, 'review'],
    [{ format: 'papyrus' }, 'format'],
    [{ duration: -1 }, 'duration'],
    [{ duration: 60, progress_minutes: 61 }, 'progress_minutes'],
    [{ isPrivate: 'perhaps' }, 'isPrivate'],
  ])('a book refuses %j', async (change, field) => {
    const { id } = await add(first)
    const before = await fixture.records.find('user_books', id)
    expect(await ask(reader.client, 'PATCH', path('user_books', id), change)).toMatchObject({
      status: 400,
      body: { data: { [field]: {} } },
    })
    expect(await fixture.records.find('user_books', id)).toEqual(before)
  })

  test('the diary, the tags and the trash are read by index', async () => {
    const { book_key, id } = await add(first, { status: 'completed', tags: ['Gothic'] })
    const quote = await reader.client.collection('quotes').create({ book_key, text: 'Beware' })
    await reader.client.collection('quotes').delete(quote.id)
    await edit(id, { status: 'reading' })
    const plans = await plansOf(fixture.database, async (told) => {
      const form = { page: 1, perPage: 200 }
      expect((await listTags(told, reader.username, '', form))?.items).toHaveLength(1)
      expect(await listDiary(told, reader.username, '', { page: 1 })).not.toBeNull()
      expect(await listTrash(told, fixture.records, reader.id)).toHaveLength(1)
    })
    expect(plans).not.toMatch(/Seq Scan|SCAN (?!\(subquery|page|oldest)/)
    expect(plans).toMatch(/readings_(?:visible|user)_finished/)
  })

  test('R53: whether a reading is a re-read costs the same, however many there are', async () => {
    const { book_key } = await add(first, { status: 'completed' })
    const plans = await plansOf(fixture.database, async (told) => {
      const others = await firstOther(told, { user: reader.id, book_key, id: 'none' })
      expect(others).toHaveLength(1)
    })
    expect(plans).toContain('readings_first_finish')
    expect(plans).not.toMatch(/Sort|TEMP B-TREE/)
  })

  test('a private book is in no number and no cover that others see', async () => {
    const visitor = fixture.visitor()
    const look = async () => ({
      shelf: await visitor.collection('bookshelves').getOne(first),
      profile: await visitor.collection('profile').getOne(reader.id),
      books: await visitor.collection('user_books').getFullList(),
      activities: await visitor.collection('activities').getFullList(),
      directory: await (await fixture.fetch('/api/v1/users')).json(),
      shelves: await (await fixture.fetch(`/api/v1/users/${reader.username}/shelves`)).json(),
    })
    await add(first, { status: 'reading' })
    const before = await look()
    const secret = await addBook(reader, first, {
      title: 'Secret',
      isPrivate: true,
      rating: 9,
      images: ['https://covers.example.org/secret.jpg'],
    })
    await edit(secret.id, { status: 'completed', page_count: 100 })
    expect(await look()).toEqual(before)
    const own = await reader.client.collection('bookshelves').getOne(first)
    expect(own).toMatchObject({ book_count: 1, private_count: 1 })
    await edit(secret.id, { isPrivate: false })
    expect((await look()).shelf).toMatchObject({ book_count: 2 })
    await edit(secret.id, { isPrivate: true })
    const { shelf, ...rest } = await look()
    expect(rest).toEqual({ ...before, shelf: undefined, shelves: rest.shelves })
    expect(shelf).toMatchObject({ book_count: 1, covers: [] })
    await books().delete(secret.id)
    expect(await reader.client.collection('bookshelves').getOne(first)).toMatchObject({
      book_count: 1,
      private_count: 0,
    })
  })
})
