/**
 * The most this machine can give for writes: node:http and one prepared statement a request, as
 * durable as Octavo's. No rules, no checks, no activity and no counts. With `rows` after the file a
 * new book comes with the other rows that Octavo writes for it, still without asking anything.
 */
import type { IncomingMessage } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { serveBare } from './bare-server.ts'

const [, , file = '', what = ''] = process.argv
const db = new DatabaseSync(file)
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536')
const insert = db.prepare(
  `INSERT INTO user_books (id, user, shelf, title, authors, genres, page_count, isbn, images, status,
    created, updated) VALUES (?, ?, ?, ?, ?, ?, ?, '', '[]', ?, ?, ?)`,
)
const update = db.prepare('UPDATE user_books SET rating = ?, updated = ? WHERE id = ?')
const others = [
  `INSERT INTO activities (id, event_type, user, book, shelf, "isPrivate", data, created)
    VALUES ('a' || :id, 'planning', :user, :id, :shelf, 0, :data, :now)`,
  `UPDATE bookshelves SET book_count = book_count + 1, latest = '[' || :data || ']',
    updated = :now WHERE id = :shelf`,
  `UPDATE settings SET activities_since = :now WHERE user = :user`,
].map((text) => {
  const statement = db.prepare(text)
  statement.setAllowUnknownNamedParameters(true)
  return statement
})
let count = 0

interface Book {
  user: string
  shelf: string
  title: string
  authors: string[]
  genres: string[]
  page_count: number
  status: string
  rating: number
}

function answer(request: IncomingMessage, text: string): string {
  const book = JSON.parse(text) as Book
  const now = new Date().toISOString().replace('T', ' ')
  if (request.method === 'PATCH') {
    const id = request.url?.split('/').at(-1) ?? ''
    update.run(book.rating, now, id)
    return JSON.stringify({ ...book, id, updated: now })
  }
  const id = `c${String(count++).padStart(14, '0')}`
  const { user, shelf, title, authors, genres, page_count: pages, status } = book
  const lists = [JSON.stringify(authors), JSON.stringify(genres)] as const
  if (what === 'rows') db.exec('BEGIN IMMEDIATE')
  insert.run(id, user, shelf, title, ...lists, pages, status, now, now)
  if (what === 'rows') {
    const data = JSON.stringify({ progress: 0, title, authors, cover: '' })
    for (const statement of others) statement.run({ id, user, shelf, data, now })
    db.exec('COMMIT')
  }
  return JSON.stringify({ ...book, id, created: now, updated: now })
}

serveBare(answer)
