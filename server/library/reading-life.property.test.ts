import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { DiaryPage } from '#shared/diary.ts'
import type { Quote, Reading } from '#shared/reading.ts'
import { statuses, type Status, type UserBook } from '#shared/user-book.ts'
import { addShelf, ask, openFixture, type Reader, type Fixture } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'

const book = fc.nat(2)
const shelf = fc.nat(1)
const which = fc.nat(5)
/** What a reader does with one of three books on one of two shelves. */
const act = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('add' as const), book, shelf }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), book, shelf }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      book,
      shelf,
      change: fc.record(
        {
          status: fc.constantFrom(...statuses),
          rating: fc.integer({ min: 1, max: 10 }),
          progress: fc.integer({ min: 1, max: 90 }),
          notes: fc.constantFrom('a note', 'another'),
          tags: fc.subarray(['Sea', 'Ports']),
          isPrivate: fc.boolean(),
          // The one field here that each copy has for itself.
          genres: fc.subarray(['Sea', 'Ports']),
        },
        { requiredKeys: [] },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('log' as const),
      book,
      form: fc.constantFrom(
        { started: '2009', finished: '', outcome: 'finished' as const },
        { started: '2023-05-23', finished: '2023-06-07', outcome: 'finished' as const },
        { started: '2023-06', finished: '2023-06-30', outcome: 'dropped' as const },
        { started: '2024', finished: '', outcome: 'reading' as const },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('quote' as const), book, isPrivate: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('discard' as const),
      book,
      of: fc.constantFrom('times' as const, 'quotes' as const),
      which,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restore' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('open' as const), shelf, isPublic: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('sleep' as const),
      hours: fc.constantFrom(1, 7, 13),
    }),
  },
)
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

type Time = Pick<Reading, 'started' | 'finished' | 'outcome'>
type State = Pick<UserBook, 'status' | 'rating' | 'progress' | 'isPrivate' | 'tags'> & {
  notes: string
}
interface Copy {
  id: string
  place: number
  genres: string[]
}
interface Book {
  /** By shelf, its record. */
  copies: Map<number, Copy>
  /** What its readings take from a copy, and keep when the last one goes. */
  genres: string[]
  state: State
  /** In the order in which they were made. */
  times: (Time & { place: number })[]
  quotes: (Pick<Quote, 'text' | 'isPrivate'> & { place: number })[]
}
/** What was removed and may come back. */
interface Removed {
  collection: string
  id: string
  book: Book
  /** @returns whether it can be where it was */
  fits: () => boolean
  back: () => void
}

/** What a life of reading comes to, said without the server's code. */
function model() {
  const blank: State = {
    status: 'reading',
    rating: 0,
    progress: 0,
    notes: '',
    tags: [],
    isPrivate: false,
  }
  const open = [true, true]
  const books = [0, 1, 2].map((): Book => {
    return { copies: new Map(), genres: [], state: blank, times: [], quotes: [] }
  })
  let count = 0
  const place = () => ++count

  function turn({ times }: Book, status: Status, day: string, isNew: boolean): void {
    const begun = times.findLast(({ outcome }) => outcome === 'reading')
    if (status === 'reading' && !begun)
      times.push({ started: day, finished: '', outcome: 'reading', place: place() })
    if (status === 'reading' || status === 'paused') return
    if (begun) {
      begun.finished = day
      begun.outcome = status === 'completed' ? 'finished' : 'dropped'
    } else if (status !== 'planning') {
      const outcome = status === 'completed' ? 'finished' : 'dropped'
      times.push({ started: '', finished: isNew ? '' : day, outcome, place: place() })
    }
  }

  return {
    books,
    open,
    place,
    /** Whether others see the book, on whichever shelf. */
    isSeen: ({ copies, state }: Book) =>
      !state.isPrivate && [...copies.keys()].some((on) => open[on]),
    add(to: Book, on: number, id: string, day: string) {
      if (!to.copies.size) {
        to.state = blank
        turn(to, 'reading', day, true)
      }
      to.copies.set(on, { id, place: place(), genres: [] })
    },
    /** Others must not learn the genres of a copy that they can't see. */
    describe(of: Book) {
      const copies = [...of.copies].toSorted(([, a], [, b]) => a.place - b.place)
      const seen = copies.find(([on]) => open[on] && !of.state.isPrivate)
      const [, copy] = seen ?? copies[0] ?? []
      if (copy) of.genres = copy.genres
    },
    edit(of: Book, on: number, change: Partial<State> & { genres?: string[] }, day: string) {
      const before = of.state.status
      const { genres, ...state } = change
      if (genres) of.copies.get(on)!.genres = genres
      of.state = { ...of.state, ...state }
      if (of.state.status === 'completed') of.state.progress = 100
      if (before !== of.state.status) turn(of, of.state.status, day, false)
    },
  }
}

const runs = Number(process.env['PROPERTY_RUNS'] ?? 12)

describeMigratedDatabases('any reading life', (open) => {
  let fixture: Fixture
  let reader: Reader
  // A life takes less than the days for which a session lasts.
  const start = Date.parse('2026-01-01T08:00:00Z')
  let clock = start
  let lives = 0

  beforeAll(async () => {
    fixture = await openFixture(await open(), () => new Date((clock += 10)))
    reader = await fixture.reader('reader')
    return () => fixture.close()
  })

  test('is told by one state of each book, and by its readings', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 24 }), async (acts) => {
        const life = await begin()
        for (const one of acts) {
          await life.live(one)
          life.describe()
        }
        const [got, wanted] = await life.outcome()
        expect(got).toEqual(wanted)
      }),
      { numRuns: runs },
    )
  })

  /** A life of its own: two shelves that the next one takes away again, and books of new names. */
  async function begin() {
    clock = start + ++lives * 3_600_000
    const { client } = reader
    for (const { id } of await client.collection('bookshelves').getFullList())
      await client.collection('bookshelves').delete(id)
    // They outlive their books.
    for (const { id } of await client.collection('readings').getFullList())
      await client.collection('readings').delete(id)
    const name = `Life ${lives}`
    const shelves = [await addShelf(reader, 'One shelf'), await addShelf(reader, 'Another shelf')]
    const told = model()
    const { books } = told
    const removed: Removed[] = []
    const records = client.collection('user_books')
    const today = () => new Date(clock).toISOString().slice(0, 10)
    const title = (of: Book) => `${name} ${books.indexOf(of)}`
    const key = (of: Book) => `${title(of).toLowerCase()}|`
    const about = <T>(as: Reader['client'], collection: 'readings' | 'quotes', of: Book) =>
      as
        .collection<T & { id: string }>(collection)
        .getFullList({ filter: `book_key = "${key(of)}"`, sort: 'created,id' })

    async function live(one: Act): Promise<void> {
      if (one.kind === 'sleep') return void (clock += one.hours * 3_600_000)
      if (one.kind === 'restore') return restore()
      if (one.kind === 'open') {
        const visibility = one.isPublic ? 'public' : 'private'
        await client.collection('bookshelves').update(shelves[one.shelf]!.id, { visibility })
        told.open[one.shelf] = one.isPublic
        return
      }
      const of = books[one.book]!
      if (one.kind === 'discard') return discard(of, one.of, one.which)
      if (one.kind === 'log' || one.kind === 'quote') return write(of, one)
      const on = one.shelf
      const copy = of.copies.get(on)
      const id = copy?.id
      if (one.kind === 'add') {
        if (id) return
        const form = { title: title(of), page_count: 100, status: 'reading' }
        const made = await records.create({ ...form, shelf: shelves[on]!.id })
        told.add(of, on, made.id, today())
      } else if (id && one.kind === 'edit') {
        await records.update(id, one.change)
        told.edit(of, on, one.change, today())
      } else if (copy && id) {
        await records.delete(id)
        of.copies.delete(on)
        const { state } = of
        const back = () => {
          // It comes back as its reader knows it by now.
          if (!of.copies.size) of.state = state
          of.copies.set(on, copy)
        }
        const fits = () => !of.copies.has(on)
        removed.push({ collection: 'user_books', id, book: of, fits, back })
      }
    }

    async function write(of: Book, one: Extract<Act, { kind: 'log' | 'quote' }>): Promise<void> {
      const isLog = one.kind === 'log'
      const text = `Quote ${told.place()}`
      const form = isLog ? one.form : { text, isPrivate: one.isPrivate }
      const collection = isLog ? 'readings' : 'quotes'
      const path = `/api/collections/${collection}/records`
      const answer = await ask(client, 'POST', path, { ...form, book_key: key(of) })
      expect(answer.status).toBe(of.copies.size ? 200 : 400)
      if (!of.copies.size) return
      if (isLog) of.times.push({ ...one.form, place: told.place() })
      else of.quotes.push({ text, isPrivate: one.isPrivate, place: told.place() })
    }

    async function discard(of: Book, kind: 'times' | 'quotes', at: number): Promise<void> {
      const list: { place: number }[] = of[kind]
      const gone = list[at % list.length]
      if (!gone) return
      const collection = kind === 'times' ? 'readings' : 'quotes'
      const { id } = (await about(client, collection, of))[at % list.length]!
      await client.collection(collection).delete(id)
      list.splice(list.indexOf(gone), 1)
      const back = () => {
        list.push(gone)
        list.sort((a, b) => a.place - b.place)
      }
      removed.push({ collection, id, book: of, fits: () => of.copies.size > 0, back })
    }

    async function restore(): Promise<void> {
      const last = removed.at(-1)
      if (!last) return
      const { collection, id, fits, back } = last
      // By its title alone a book may stand on a shelf twice; this life has no name for that.
      if (collection === 'user_books' && !fits()) return void removed.pop()
      const form = { collection, ids: [id] }
      const { status } = await ask(client, 'POST', '/api/v1/library/restore', form)
      expect(status).toBe(fits() ? 204 : 409)
      if (!fits()) return
      removed.pop()
      back()
    }

    /** @returns what there is, and what has to be */
    async function outcome(): Promise<[got: unknown[], wanted: unknown[]]> {
      const visitor = fixture.visitor()
      const seen = new Set((await visitor.collection('user_books').getFullList()).map((b) => b.id))
      const got: unknown[] = []
      const wanted: unknown[] = []
      for (const of of books) {
        const isSeen = told.isSeen(of)
        for (const [on, { id }] of of.copies) {
          const { status, rating, progress, isPrivate, tags, notes, ...derived } =
            await records.getOne<UserBook>(id)
          got.push({ status, rating, progress, isPrivate, tags, notes }, seen.has(id))
          wanted.push(of.state, !of.state.isPrivate && told.open[on])
          const { being_read, finished, years_read } = derived
          got.push({ being_read, finished, years_read })
          wanted.push({ being_read: status === 'reading', ...finishesOf(of) })
        }
        for (const as of [client, visitor]) {
          const mayAll = as === client
          const readings = await about<Reading>(as, 'readings', of)
          got.push(timesOf(readings))
          got.push(readings.map(({ title, genres, is_reread }) => ({ title, genres, is_reread })))
          got.push((await about<Quote>(as, 'quotes', of)).map(({ text }) => text))
          const times = mayAll || isSeen ? of.times : []
          wanted.push(timesOf(times))
          wanted.push(
            times.map((time) => ({
              title: title(of),
              genres: of.genres,
              is_reread: isReread(of, time),
            })),
          )
          const quotes = of.quotes.filter(({ isPrivate }) => mayAll || (isSeen && !isPrivate))
          wanted.push(quotes.map(({ text }) => text))
        }
      }
      for (const as of [client, visitor]) {
        const mayAll = as === client
        const shown = books.filter((of) => (mayAll ? of.copies.size > 0 : told.isSeen(of)))
        // Readings stay when the book is removed.
        const read = mayAll ? books : shown
        got.push(await diaryOf(as), await tagsOf(as))
        wanted.push(
          timesOf(read.flatMap(({ times }) => times.filter(({ finished }) => finished))).toSorted(),
          ['Ports', 'Sea'].flatMap((tag) => {
            const books = shown.filter(({ state }) => state.tags.includes(tag)).length
            return books ? [{ tag, books }] : []
          }),
        )
      }
      for (const isPrivate of [false, true]) {
        const kind = books.filter(({ state }) => state.isPrivate === isPrivate)
        wanted.push(kind.reduce((sum, { copies }) => sum + copies.size, 0))
      }
      const own = await client.collection('bookshelves').getFullList()
      for (const field of ['book_count', 'private_count'])
        got.push(own.reduce((all, one) => all + Number(one[field]), 0))
      return [got, wanted]
    }

    async function diaryOf(as: Reader['client']): Promise<string[]> {
      const path = `/api/v1/users/${reader.username}/diary`
      const { body } = await ask(as, 'GET', path)
      return timesOf((body as { data: DiaryPage }).data.items).toSorted()
    }

    async function tagsOf(as: Reader['client']): Promise<object[]> {
      const { body } = await ask(as, 'GET', `/api/v1/users/${reader.username}/tags`)
      const { items } = (body as { data: { items: { tag: string; books: number }[] } }).data
      return items.toSorted((a, b) => a.tag.localeCompare(b.tag))
    }

    return { live, outcome, describe: () => books.forEach((of) => told.describe(of)) }
  }
})

/** The latest day on which the book was finished, and all such years, the latest first. */
function finishesOf({ times }: Book) {
  const days = times.filter(({ outcome }) => outcome === 'finished').map((time) => time.finished)
  const known = days.filter(Boolean).toSorted().toReversed()
  return { finished: known[0] ?? '', years_read: [...new Set(known.map((day) => day.slice(0, 4)))] }
}

/** Whether an earlier time through the book ended it; one without a day was the earliest. */
function isReread({ times }: Book, time: Time & { place: number }): boolean {
  if (time.outcome !== 'finished') return false
  return times.some(
    ({ outcome, finished, place }) =>
      outcome === 'finished' &&
      (finished < time.finished || (finished === time.finished && place < time.place)),
  )
}

/** In their order: what was begun, finished, read again and given up. */
function timesOf(times: readonly Time[]): string[] {
  return times.map(({ started, finished, outcome }) => JSON.stringify([started, finished, outcome]))
}
