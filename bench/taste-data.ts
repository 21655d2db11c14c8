import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { fillSqlite } from '#tests/fill.ts'

/** What somebody thinks of a book, in half stars. */
export interface Rating {
  user: string
  book: string
  rating: number
}

/**
 * Ratings of goodbooks-10k: `user_id,book_id,rating` with one to five stars.
 *
 * @param file plain or compressed with gzip
 */
export function readRatings(file: string): Rating[] {
  const bytes = readFileSync(file)
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
  return text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [user = '', book = '', stars] = line.split(',')
      return { user: readerId(user), book: `book ${book}`, rating: Number(stars) * 2 }
    })
}

/** Spread like the random ids of real readers, and the same at every run. */
export function readerId(number: string | number): string {
  const spread = Math.imul(Number(number), 0x9e3779b1) >>> 0
  return `${spread.toString(36).padStart(7, '0')}${String(number).padStart(8, '0')}`
}

const created = '2026-01-02 03:04:05.678Z'

/** Fills a new database: every reader public, with all their books on one public shelf. */
export async function seedRatings(file: string, opinions: readonly Rating[]): Promise<void> {
  const readers = [...new Set(opinions.map(({ user }) => user))]
  await fillSqlite(file, {
    users: readers.map((user) => {
      const username = `reader-${user.replace(/^.{7}0*/, '')}`
      return { id: user, username, email: user, tokenKey: user, created }
    }),
    settings: readers.map((user) => ({ id: user, user, isPrivate: 0 })),
    bookshelves: readers.map((user) => {
      const lists = { covers: '[]', latest: '[]' }
      return { id: user, user, name: 'Everything', visibility: 'public', ...lists, created }
    }),
    user_books: opinions.map(({ user, book, rating }, n) => ({
      id: `b${String(n).padStart(14, '0')}`,
      user,
      shelf: user,
      title: book,
      authors: '["An Author"]',
      genres: '[]',
      images: '[]',
      rating,
      status: 'completed',
      book_key: book,
      created,
    })),
  })
}
