/**
 * The most this machine can give for writes: node:http and one prepared statement a request, as
 * durable as Octavo's. No rules, no checks, no activity and no counts. With `rows` after the file a
 * new book comes with the other rows that Octavo writes for it, still without asking anything.
 */
import type { IncomingMessage } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { randomId, serveBare } from './bare-server.ts'

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

const date = () => new Date().toISOString().replace('T', ' ')

function change(id: string, { rating, ...book }: Book): string {
  const now = date()
  update.run(rating, now, id)
  return JSON.stringify({ ...book, rating, id, updated: now })
}

function create(book: Book): string {
  const now = date()
  const id = randomId()
  const { user, shelf, title, authors, genres, page_count: pages, status } = book
  const lists = [JSON.stringify(authors), JSON.stringify(genres)] as const
  insert.run(id, user, shelf, title, ...lists, pages, status, now, now)
  if (what === 'rows') {
    const data = JSON.stringify({ progress: 0, title, authors, cover: '' })
    for (const statement of others) statement.run({ id, user, shelf, data, now })
  }
  return JSON.stringify({ ...book, id, created: now, updated: now })
}

function together(work: () => string): string {
  db.exec('BEGIN IMMEDIATE')
  const answer = work()
  db.exec('COMMIT')
  return answer
}

function answer({ method, url = '' }: IncomingMessage, text: string): string {
  const sent = JSON.parse(text) as Book & { requests: { body: Book }[] }
  if (method === 'PATCH') return change(url.slice(url.lastIndexOf('/') + 1), sent)
  if (url !== '/api/batch') return what === 'rows' ? together(() => create(sent)) : create(sent)
  return together(() => `[${sent.requests.map(({ body }) => create(body)).join()}]`)
}

serveBare(answer)
