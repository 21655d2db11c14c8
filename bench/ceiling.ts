/**
 * The most this machine can give: node:http and prepared statements, no routes, no rules, no
 * checks. It answers the same bytes as Octavo and is what the scenarios are divided by.
 */
import { DatabaseSync } from 'node:sqlite'
import { serveBare } from './bare-server.ts'

const [, , file = '', collectionId = ''] = process.argv
const db = new DatabaseSync(file, { readOnly: true })
db.exec('PRAGMA cache_size = -65536')

const columns = `authors, created, genres, id, image, images, isbn, page_count, progress,
  progress_average, progress_percent, rating, shelf, status, title, updated, "user"`
type Row = [
  authors: string,
  created: string,
  genres: string,
  id: string,
  image: string,
  images: string,
  isbn: string,
  pageCount: number,
  progress: number,
  progressAverage: number,
  progressPercent: number,
  rating: number,
  shelf: string,
  status: string,
  title: string,
  updated: string,
  user: string,
]

function prepare(text: string) {
  const statement = db.prepare(text)
  statement.setReturnArrays(true)
  return statement
}

const one = prepare(`SELECT ${columns} FROM user_books WHERE id = ?`)
const lists = new Map(
  ['shelf', 'user'].map((field) => [
    field,
    {
      page: prepare(
        `SELECT ${columns} FROM user_books WHERE "${field}" = ? ORDER BY rating DESC LIMIT 30`,
      ),
      count: prepare(`SELECT COUNT(*) FROM user_books WHERE "${field}" = ?`),
    },
  ]),
)

const text = JSON.stringify
const head = `,"collectionId":${text(collectionId)},"collectionName":"user_books","created":`

function json(row: Row): string {
  return `{"authors":${row[0]}${head}${text(row[1])},"genres":${row[2]},"id":"${row[3]}","image":${text(row[4])},"images":${row[5]},"isbn":${text(row[6])},"page_count":${row[7]},"progress":${row[8]},"progress_average":${row[9]},"progress_percent":${row[10]},"rating":${row[11]},"shelf":"${row[12]}","status":"${row[13]}","title":${text(row[14])},"updated":"${row[15]}","user":"${row[16]}"}`
}

function list(field: string, value: string): string {
  const statements = lists.get(field)
  if (!statements) throw new Error(`no list by ${field}`)
  const rows = statements.page.all(value) as unknown as Row[]
  const [total] = statements.count.get(value) as unknown as [number]
  let items = ''
  for (const row of rows) items += items ? `,${json(row)}` : json(row)
  return `{"items":[${items}],"page":1,"perPage":30,"totalItems":${total},"totalPages":${Math.ceil(total / 30)}}\n`
}

function answer(url: string): string {
  const filter = /filter=(\w+)%3D%22(\w+)%22/.exec(url)
  if (filter) return list(filter[1] ?? '', filter[2] ?? '')
  return `${json(one.get(url.slice(url.lastIndexOf('/') + 1)) as unknown as Row)}\n`
}

serveBare(({ url = '' }) => answer(url))
