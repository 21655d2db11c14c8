/**
 * The most this machine can give for writes: node:http and one prepared statement a request, as
 * durable as Octavo's. No rules, no checks, no activity and no counts.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'

const [, , file = ''] = process.argv
const db = new DatabaseSync(file)
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536')
const insert = db.prepare(
  `INSERT INTO user_books (id, user, shelf, title, authors, genres, page_count, isbn, images, status,
    created, updated) VALUES (?, ?, ?, ?, ?, ?, ?, '', '[]', ?, ?, ?)`,
)
const update = db.prepare('UPDATE user_books SET rating = ?, updated = ? WHERE id = ?')
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
  insert.run(id, user, shelf, title, ...lists, pages, status, now, now)
  return JSON.stringify({ ...book, id, created: now, updated: now })
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.from(answer(request, Buffer.concat(chunks).toString()))
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': body.byteLength,
    })
    response.end(body)
  })
})
server.listen(0, '127.0.0.1', () => {
  console.log(`ready: http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
