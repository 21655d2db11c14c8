import type { DatabaseSync } from 'node:sqlite'
import { check13 } from '#shared/isbn.ts'
import { countTotals, fillSqlite, rows } from '#tests/fill.ts'
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
export async function seed(file: string, readers = isShort ? 8 : 200): Promise<Seeded> {
  await fillSqlite(file, {
    users: rows(readers, user),
    settings: rows(readers, settings),
    bookshelves: rows(readers * shelvesEach, shelf),
    user_books: rows(readers * recordsEach, book),
  })
  const shelves = Array.from({ length: shelvesEach }, (_, s) => id('s', 7 * shelvesEach + s))
  return { user: id('u', 7), shelf: shelves[0]!, shelves, record: id('b', 7 * recordsEach) }
}

/** @returns the id and username of a reader by number */
export const readerOf = (u: number) => ({ id: id('u', u), username: `reader-${u}` })

/** Counts books and tags that were added without the server. */
export function recount(db: DatabaseSync): void {
  for (const statement of countTotals('sqlite')) db.exec(statement)
}

const id = (kind: string, n: number) => kind + String(n).padStart(14, '0')
const created = '2026-01-02 03:04:05.678Z'

function user(u: number) {
  return {
    ...readerOf(u),
    email: `reader${u}@example.org`,
    tokenKey: id('k', u),
    name: `Reader ${u}`,
    created,
    updated: created,
  }
}

function settings(u: number) {
  return { id: id('t', u), user: id('u', u), isPrivate: 0 }
}

function shelf(n: number) {
  const u = Math.floor(n / shelvesEach)
  return {
    id: id('s', n),
    user: id('u', u),
    name: `Shelf ${n % shelvesEach} of reader ${u}`,
    visibility: 'public',
    book_count: recordsEach / shelvesEach,
    covers: '[]',
    latest: '[]',
    created,
    updated: created,
  }
}

function book(n: number) {
  const [u, b] = [Math.floor(n / recordsEach), n % recordsEach]
  const isbn = isbnOf(n)
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

/** @returns the ISBN of a made book, by its number */
export function isbnOf(n: number): string {
  const body = `978${String(n).padStart(9, '0')}`
  return body + check13(body)
}
