import { sql } from 'kysely'
import type { Catalogue } from '#catalogue/index.ts'
import { formatDate } from '#records/index.ts'
import { selectBy } from '#server/collections/select.ts'
import type { LibraryRecords, LibraryTransaction } from '#server/collections/stored.ts'
import type { Book, CuratedSections } from '#shared/book.ts'
import type { Status } from '#shared/user-book.ts'
import { readers, type DemoReader, type DemoShelf, type DemoYears } from './demo-readers.ts'
import { addReadBook, copyOf, dateReads, findBooks } from './demo-years.ts'
import { modify } from '../storage/query.ts'

const day = 24 * 60 * 60 * 1000

const settingsOf = selectBy('settings', ['id'], ['user'])

/**
 * Fills an empty database with sample readers, their shelves, and what they read over the last
 * weeks and, for three of them, years. Every run creates the same library.
 *
 * @returns the account to sign in with
 */
export async function fillDemo(
  records: Pick<LibraryRecords, 'write'>,
  catalogue: Pick<Catalogue, 'curated' | 'named'>,
): Promise<{ email: string; password: string }> {
  const books = await catalogue.curated()
  const random = seededRandom(7)
  const now = Date.now()
  for (const reader of readers) {
    const read = await findBooks(catalogue, reader.years?.reads ?? [])
    await records.write((tx) => new DemoLibrary(tx, reader, random, now).fill(books, read))
  }
  const [first] = readers
  return { email: emailOf(first), password: demoPassword }
}

const demoPassword = 'turn the page'
const emailOf = (reader: DemoReader) => `${reader.username}@example.org`

/** One reader's library, written through the record service and then backdated. */
class DemoLibrary {
  readonly #tx: LibraryTransaction
  readonly #reader: DemoReader
  readonly #random: () => number
  readonly #now: number
  /** Ids of the reader's books: in the demo no book is on two shelves. */
  readonly #has = new Set<Book['id']>()

  constructor(tx: LibraryTransaction, reader: DemoReader, random: () => number, now: number) {
    this.#tx = tx
    this.#reader = reader
    this.#random = random
    this.#now = now
  }

  async fill(books: CuratedSections, read: ReadonlyMap<string, Book>): Promise<void> {
    const { username, name, isPrivate, since } = this.#reader
    const user = await this.#tx.create('users', {
      email: emailOf(this.#reader),
      password: demoPassword,
      username,
      name,
      verified: true,
    })
    await this.#date('users', user.id, this.#now - since * day)
    if (isPrivate) {
      const [settings] = await settingsOf(this.#tx, { user: user.id })
      if (settings) await this.#tx.update('settings', settings.id, { isPrivate })
    }
    const { years, shelves } = this.#reader
    if (years) await this.#addYears(user.id, years, read)
    for (const shelf of shelves) await this.#fillShelf(user.id, shelf, books)
  }

  async #addYears(user: string, years: DemoYears, books: ReadonlyMap<string, Book>): Promise<void> {
    const { shelf: name, reads, pace, goal } = years
    const end = this.#now - 3 * day
    const dated = dateReads(reads, books, { pace, end, random: this.#random })
    const shelf = await this.#tx.create('bookshelves', { user, name, visibility: 'public' })
    for (const [id, times] of Map.groupBy(dated, ({ book }) => book.id)) {
      this.#has.add(id)
      const [first, ...again] = times
      if (first) await addReadBook(this.#tx, { user, shelf: shelf.id }, [first, ...again])
    }
    const begun = dated[0]?.started ?? this.#now
    await this.#date('bookshelves', shelf.id, begun)
    await this.#date('users', user, begun)
    const year = new Date(this.#now).getUTCFullYear()
    await this.#tx.create('goals', { user, year, kind: 'books', target: goal })
  }

  async #fillShelf(user: string, plan: DemoShelf, books: CuratedSections): Promise<void> {
    const { name, visibility } = plan
    const shelf = await this.#tx.create('bookshelves', { user, name, visibility })
    const opened = this.#now - this.#reader.since * day * 0.9
    const chosen = this.#choose(books[plan.from], plan.books)
    for (const [i, book] of chosen.entries()) {
      // Later books are added later; the last one a day ago.
      const added = opened + ((this.#now - day - opened) * (i + this.#random() / 2)) / chosen.length
      const place = Math.floor((i * plan.statuses.length) / chosen.length)
      const status = plan.statuses[place] ?? 'planning'
      await this.#addBook({ user, shelf: shelf.id, book, status, added })
    }
    await this.#date('bookshelves', shelf.id, opened)
  }

  async #addBook(input: {
    user: string
    shelf: string
    book: Book
    status: Status
    added: number
  }): Promise<void> {
    const { user, shelf, book, status, added } = input
    const record = await this.#tx.create('user_books', {
      user,
      shelf,
      ...copyOf(book),
      status: status === 'planning' ? 'planning' : 'reading',
    })
    await this.#dateBack(added)
    if (status !== 'planning') await this.#read(record.id, book.page_count, status, added)
    await this.#date('user_books', record.id, added)
  }

  /**
   * Writes a few sittings, at most one for each remaining day, and then the book's final status.
   */
  async #read(id: string, pages: number, status: Status, added: number): Promise<void> {
    const goal = status === 'completed' ? pages : Math.floor(pages * (0.15 + this.#random() * 0.7))
    const sittings = Math.min(6, Math.max(1, Math.round(goal / 120)))
    const isOver = status !== 'reading'
    const steps = sittings + (isOver ? 1 : 0)
    const gap = Math.min(day * (1 + this.#random() * 0.6), (this.#now - added) / (steps + 0.5))
    for (let sitting = 1; sitting <= sittings; sitting++) {
      const progress = Math.floor((goal * sitting) / steps)
      if (progress > 0) await this.#tx.update('user_books', id, { progress })
      await this.#dateBack(added + gap * sitting)
    }
    if (!isOver) return
    // Finished books get three to five stars.
    const rating = status === 'completed' ? 6 + Math.floor(this.#random() * 9) / 2 : 0
    const tags = rating >= 9 ? ['favourites'] : []
    await this.#tx.update('user_books', id, { status, rating, tags })
    await this.#dateBack(added + gap * steps)
  }

  #choose(books: readonly Book[], count: number): Book[] {
    const chosen = books
      .filter((book) => !this.#has.has(book.id))
      .map((book) => ({ book, place: this.#random() }))
      .toSorted((a, b) => a.place - b.place)
      .slice(0, count)
      .map(({ book }) => book)
    for (const book of chosen) this.#has.add(book.id)
    return chosen
  }

  async #date(collection: string, id: string, time: number): Promise<void> {
    const when = formatDate(time)
    const table = sql.table(collection)
    await modify(
      this.#tx,
      collection,
      sql`UPDATE ${table} SET created = ${when}, updated = ${when} WHERE id = ${id}`,
    )
  }

  /** Backdates what was just written. */
  async #dateBack(time: number): Promise<void> {
    const [then, now] = [formatDate(time), formatDate(this.#now)]
    const date = then.slice(0, 10)
    for (const [collection, change] of [
      ['activities', sql`SET created = ${then} WHERE created >= ${now}`],
      ['progress_log', sql`SET day = ${date}, "at" = ${then} WHERE "at" >= ${now}`],
      ['readings', sql`SET finished = ${date} WHERE finished <> '' AND updated >= ${now}`],
      ['readings', sql`SET started = ${date}, created = ${then} WHERE created >= ${now}`],
      ['readings', sql`SET updated = ${then} WHERE updated >= ${now}`],
    ] as const)
      await modify(this.#tx, collection, sql`UPDATE ${sql.table(collection)} ${change}`)
  }
}

/** Pseudorandom numbers from 0 to 1, the same at every run (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
