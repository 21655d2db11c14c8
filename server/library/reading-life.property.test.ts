import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { Reading } from '#shared/reading.ts'
import { statuses, type Status, type UserBook } from '#shared/user-book.ts'
import { addShelf, openWorld, type Reader, type World } from '#tests/access/world.ts'
import { describeDatabases } from '#tests/databases.ts'

/** What a reader does with one of three books on one of two shelves. */
const act = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), book: fc.nat(2), shelf: fc.nat(1) }),
  fc.record({ kind: fc.constant('remove' as const), book: fc.nat(2), shelf: fc.nat(1) }),
  fc.record({
    kind: fc.constant('edit' as const),
    book: fc.nat(2),
    shelf: fc.nat(1),
    change: fc.record(
      {
        status: fc.constantFrom(...statuses),
        rating: fc.integer({ min: 1, max: 10 }),
        progress: fc.integer({ min: 1, max: 90 }),
        notes: fc.constantFrom('a note', 'another'),
        isPrivate: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  }),
  fc.record({ kind: fc.constant('sleep' as const), hours: fc.constantFrom(1, 7, 13) }),
)
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

type Time = Pick<Reading, 'started' | 'finished' | 'outcome'>
interface Book {
  /** By shelf, its record. */
  copies: Map<number, string>
  state: Pick<UserBook, 'status' | 'rating' | 'progress' | 'isPrivate'> & { notes: string }
  times: Time[]
}

/** What a life of reading comes to, said without the server's code. */
function model() {
  const blank = { status: 'reading' as Status, rating: 0, progress: 0, notes: '', isPrivate: false }
  const books = [0, 1, 2].map((): Book => ({ copies: new Map(), state: blank, times: [] }))

  function turn(book: Book, status: Status, day: string, isNew: boolean): void {
    const open = book.times.findLast(({ outcome }) => outcome === 'reading')
    if (status === 'reading' && !open)
      book.times.push({ started: day, finished: '', outcome: 'reading' })
    if (status === 'reading' || status === 'paused') return
    if (open) {
      open.finished = day
      open.outcome = status === 'completed' ? 'finished' : 'dropped'
    } else if (status !== 'planning')
      book.times.push({
        started: '',
        finished: isNew ? '' : day,
        outcome: status === 'completed' ? 'finished' : 'dropped',
      })
  }

  return {
    books,
    add(book: Book, shelf: number, id: string, day: string) {
      if (!book.copies.size) {
        book.state = blank
        turn(book, 'reading', day, true)
      }
      book.copies.set(shelf, id)
    },
    edit(book: Book, change: Partial<Book['state']>, day: string) {
      const before = book.state.status
      book.state = { ...book.state, ...change }
      if (book.state.status === 'completed') book.state.progress = 100
      if (before !== book.state.status) turn(book, book.state.status, day, false)
    },
  }
}

const runs = Number(process.env['PROPERTY_RUNS'] ?? 12)

describeDatabases('any reading life', (open) => {
  let world: World
  let reader: Reader
  // A life takes less than the days for which a session lasts.
  const start = Date.parse('2026-01-01T08:00:00Z')
  let clock = start
  let lives = 0

  beforeAll(async () => {
    world = await openWorld(await open(), () => new Date((clock += 10)))
    reader = await world.reader('reader')
    return () => world.close()
  })

  test('is told by one state of each book, and by its readings', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 8, maxLength: 20 }), async (acts) => {
        const life = await begin()
        for (const one of acts) await life.live(one)
        const [got, wanted] = await life.outcome()
        expect(got).toEqual(wanted)
      }),
      { numRuns: runs },
    )
  })

  /** A life of its own: two shelves that the next one takes away again, and books of new names. */
  async function begin() {
    clock = start + ++lives * 3_600_000
    for (const { id } of await reader.client.collection('bookshelves').getFullList())
      await reader.client.collection('bookshelves').delete(id)
    const name = `Life ${lives}`
    const shelves = [await addShelf(reader, 'One shelf'), await addShelf(reader, 'Another shelf')]
    const told = model()
    const { books } = told
    const records = reader.client.collection('user_books')
    const today = () => new Date(clock).toISOString().slice(0, 10)
    const title = (book: Book) => `${name} ${books.indexOf(book)}`

    async function live(one: Act): Promise<void> {
      if (one.kind === 'sleep') return void (clock += one.hours * 3_600_000)
      const book = books[one.book]!
      const id = book.copies.get(one.shelf)
      if (one.kind === 'add') {
        if (id) return
        const form = { title: title(book), page_count: 100, status: 'reading' }
        const made = await records.create({ ...form, shelf: shelves[one.shelf]!.id })
        told.add(book, one.shelf, made.id, today())
      } else if (id && one.kind === 'remove') {
        await records.delete(id)
        book.copies.delete(one.shelf)
      } else if (id && one.kind === 'edit') {
        await records.update(id, one.change)
        told.edit(book, one.change, today())
      }
    }

    /** @returns what there is, and what has to be */
    async function outcome(): Promise<[got: unknown[], wanted: unknown[]]> {
      const open = await world.visitor().collection('user_books').getFullList()
      const got: unknown[] = []
      const wanted: unknown[] = []
      for (const book of books) {
        for (const id of book.copies.values()) {
          const { status, rating, progress, isPrivate, notes } = await records.getOne<UserBook>(id)
          got.push({ status, rating, progress, isPrivate, notes })
          got.push(open.some((seen) => seen.id === id))
          wanted.push(book.state, !book.state.isPrivate)
        }
        const filter = `book_key = "${title(book).toLowerCase()}|"`
        const times = await reader.client.collection('readings').getFullList<Reading>({ filter })
        got.push(sorted(times))
        wanted.push(sorted(book.times))
      }
      for (const isPrivate of [false, true]) {
        const kind = books.filter(({ state }) => state.isPrivate === isPrivate)
        wanted.push(kind.reduce((sum, { copies }) => sum + copies.size, 0))
      }
      const shown = await reader.client.collection('bookshelves').getFullList()
      for (const field of ['book_count', 'private_count'])
        got.push(shown.reduce((all, shelf) => all + Number(shelf[field]), 0))
      return [got, wanted]
    }

    return { live, outcome }
  }
})

function sorted(times: readonly Time[]): string[] {
  return times
    .map(({ started, finished, outcome }) => JSON.stringify([started, finished, outcome]))
    .toSorted()
}
