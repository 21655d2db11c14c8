import { DatabaseSync } from 'node:sqlite'
import { openSqlite } from '#records/index.ts'
import { countBookTotals } from '#server/migrations/0025-book-totals.ts'
import { migrate } from '#server/migrations/migrate.ts'
import { isShort } from './measure.ts'

const shelvesEach = 5
const recordsEach = 500

/** What the scenarios ask for: one reader with their first shelf and a book on it. */
export interface Seeded {
  user: string
  shelf: string
  /** All shelves of the reader. */
  shelves: string[]
  record: string
}

/**
 * Fills a new database with public readers, each with 5 public shelves of 100 books. Made by
 * counting, so that every run measures the same data.
 */
export async function seed(file: string, readers = isShort ? 20 : 200): Promise<Seeded> {
  const database = openSqlite(file)
  await migrate(database)
  await database.close()

  const db = new DatabaseSync(file)
  db.exec('BEGIN')
  const insert = (table: string, row: Record<string, string | number>) => {
    const columns = Object.keys(row).map((name) => `"${name}"`)
    const marks = columns.map(() => '?')
    return db.prepare(`INSERT INTO ${table} (${columns.join()}) VALUES (${marks.join()})`)
  }
  const rows = {
    users: user(0),
    settings: settings(0),
    bookshelves: shelf(0, 0),
    user_books: book(0, 0),
  }
  const into = Object.fromEntries(
    Object.entries(rows).map(([table, row]) => [table, insert(table, row)]),
  ) as Record<keyof typeof rows, ReturnType<typeof insert>>
  for (let u = 0; u < readers; u++) {
    into.users.run(...Object.values(user(u)))
    into.settings.run(...Object.values(settings(u)))
    for (let s = 0; s < shelvesEach; s++) into.bookshelves.run(...Object.values(shelf(u, s)))
    for (let b = 0; b < recordsEach; b++) into.user_books.run(...Object.values(book(u, b)))
  }
  countTotals(db)
  db.exec('COMMIT; ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
  const shelves = Array.from({ length: shelvesEach }, (_, s) => id('s', 7 * shelvesEach + s))
  return { user: id('u', 7), shelf: shelves[0]!, shelves, record: id('b', 7 * recordsEach) }
}

/** Counts what the server counts as books come; they were written without it. */
export function countTotals(db: DatabaseSync): void {
  for (const table of ['book_totals', 'tag_totals']) db.exec(`DELETE FROM ${table}`)
  for (const statement of countBookTotals('sqlite')) db.exec(statement)
}

const id = (kind: string, n: number) => kind + String(n).padStart(14, '0')
const created = '2026-01-02 03:04:05.678Z'

function user(u: number) {
  return {
    id: id('u', u),
    email: `reader${u}@example.org`,
    tokenKey: id('k', u),
    username: `reader-${u}`,
    name: `Reader ${u}`,
    created,
    updated: created,
  }
}

function settings(u: number) {
  return { id: id('t', u), user: id('u', u), isPrivate: 0 }
}

function shelf(u: number, s: number) {
  return {
    id: id('s', u * shelvesEach + s),
    user: id('u', u),
    name: `Shelf ${s} of reader ${u}`,
    visibility: 'public',
    book_count: recordsEach / shelvesEach,
    covers: '[]',
    latest: '[]',
    created,
    updated: created,
  }
}

function book(u: number, b: number) {
  const n = u * recordsEach + b
  const isbn = withCheckDigit(`978${String(n).padStart(9, '0')}`)
  return {
    id: id('b', n),
    user: id('u', u),
    shelf: id('s', u * shelvesEach + (b % shelvesEach)),
    title: `The “Long” Title of Volume ${n} — or, a Study in Numbers`,
    authors: JSON.stringify([`Author Number ${n % 997}`, 'Élodie Example']),
    genres: JSON.stringify(['fiction', 'adventure', 'classics']),
    page_count: 100 + (n % 900),
    isbn,
    images: JSON.stringify([`https://covers.example.org/b/isbn/${isbn}-L.jpg`]),
    progress: n % 100,
    progress_average: Math.round(((n % 100) / (100 + (n % 900))) * 1e4) / 100,
    // Different for every book of a reader: the order by rating is the same whoever sorts.
    rating: ((b * 7) % recordsEach) / 50,
    status: ['reading', 'completed', 'planning'][n % 3] ?? '',
    book_key: isbn,
    created,
    updated: created,
  }
}

/** The thirteenth digit of an ISBN: all thirteen, by turns once and three times, make tens. */
export function withCheckDigit(digits: string): string {
  const sum = Array.from(digits, Number).reduce((total, d, i) => total + d * (i % 2 ? 3 : 1), 0)
  return digits + String((10 - (sum % 10)) % 10)
}
