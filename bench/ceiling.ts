/**
 * The most this machine can give: node:http and prepared statements, no routes, no rules, no
 * checks. It answers the same bytes as Octavo and is what the scenarios are divided by.
 */
import { DatabaseSync } from 'node:sqlite'
import { serveBare } from './bare-server.ts'

const [, , file = '', collectionId = ''] = process.argv
const db = new DatabaseSync(file, { readOnly: true })
db.exec('PRAGMA cache_size = -65536')

/** What a visitor sees of a book, in the order of its JSON, and how each value is written. */
const columns = {
  authors: 'json',
  being_read: 'bool',
  created: 'text',
  description: 'text',
  duration: 'number',
  finished: 'text',
  format: 'text',
  genres: 'json',
  id: 'text',
  image: 'text',
  images: 'json',
  isPrivate: 'bool',
  isbn: 'text',
  language: 'text',
  page_count: 'number',
  progress: 'number',
  progress_average: 'number',
  progress_minutes: 'number',
  progress_percent: 'number',
  published: 'text',
  rating: 'number',
  review: 'text',
  review_spoilers: 'bool',
  series: 'text',
  series_position: 'text',
  shelf: 'text',
  status: 'text',
  tags: 'json',
  title: 'text',
  updated: 'text',
  user: 'text',
  years_read: 'json',
} as const
type Row = (string | number | null)[]

function prepare(text: string) {
  const statement = db.prepare(text)
  statement.setReturnArrays(true)
  return statement
}

const selected = Object.keys(columns)
  .map((name) => `"${name}"`)
  .join()
const one = prepare(`SELECT ${selected} FROM user_books WHERE id = ?`)
const lists = new Map(
  ['shelf', 'user'].map((field) => [
    field,
    {
      page: prepare(
        `SELECT ${selected} FROM user_books WHERE "${field}" = ? ORDER BY rating DESC LIMIT 30`,
      ),
      count: prepare(`SELECT COUNT(*) FROM user_books WHERE "${field}" = ?`),
    },
  ]),
)

const text = JSON.stringify
const collection = `,"collectionId":${text(collectionId)},"collectionName":"user_books"`
const write = {
  json: (value: Row[number]) => value ?? 'null',
  text,
  number: String,
  bool: (value: Row[number]) => (value ? 'true' : 'false'),
}
const writers = Object.entries(columns).map(([name, type]) => {
  const key = `${name === 'authors' ? '{' : ','}${text(name)}:`
  // Keys are in the order of the alphabet.
  const before = name === 'created' ? collection + key : key
  return [before, write[type]] as const
})

function json(row: Row): string {
  let result = ''
  for (const [i, [key, writer]] of writers.entries()) result += key + writer(row[i]!)
  return `${result}}`
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
