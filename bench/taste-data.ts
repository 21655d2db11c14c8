import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { openSqlite } from '#records/index.ts'
import { migrate } from '#server/migrations/migrate.ts'

/** What somebody thinks of a book, in half stars. */
export interface Opinion {
  user: string
  book: string
  rating: number
}

/**
 * Ratings of goodbooks-10k: `user_id,book_id,rating` with one to five stars.
 *
 * @param file plain or compressed with gzip
 */
export function readRatings(file: string): Opinion[] {
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

/** Fills a new database: every reader public, with all their books on one public shelf. */
export async function seedOpinions(file: string, opinions: readonly Opinion[]): Promise<void> {
  const database = openSqlite(file)
  await migrate(database)
  await database.close()
  const db = new DatabaseSync(file)
  const created = '2026-01-02 03:04:05.678Z'
  const into = {
    user: db.prepare(
      'INSERT INTO users (id, username, email, tokenKey, created) VALUES (?, ?, ?, ?, ?)',
    ),
    settings: db.prepare('INSERT INTO settings (id, user, isPrivate) VALUES (?, ?, 0)'),
    shelf: db.prepare(
      `INSERT INTO bookshelves (id, user, name, visibility, covers, latest, created)
        VALUES (?, ?, 'Everything', 'public', '[]', '[]', ?)`,
    ),
    book: db.prepare(
      `INSERT INTO user_books (id, user, shelf, title, authors, genres, images, rating, status,
          book_key, created) VALUES (?, ?, ?, ?, '["An Author"]', '[]', '[]', ?, 'completed', ?, ?)`,
    ),
  }
  const known = new Set<string>()
  db.exec('BEGIN')
  for (const [n, { user, book, rating }] of opinions.entries()) {
    if (!known.has(user)) {
      known.add(user)
      const username = `reader-${user.replace(/^.{7}0*/, '')}`
      into.user.run(user, username, user, user, created)
      into.settings.run(user, user)
      into.shelf.run(user, user, created)
    }
    into.book.run(`b${String(n).padStart(14, '0')}`, user, user, book, rating, book, created)
  }
  db.exec('COMMIT; ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}
