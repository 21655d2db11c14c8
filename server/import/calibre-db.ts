import { constants, DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { ImportError } from './import-error.ts'
import type { Cells } from './row.ts'
import { schemaSize } from './schema-size.ts'
import { maxRows } from './table.ts'

/** The tables to read. Only the first three are required. */
const tables = [
  ...([
    'books',
    'authors',
    'books_authors_link',
    'tags',
    'books_tags_link',
    'identifiers',
  ] as const),
  ...(['ratings', 'books_ratings_link', 'data'] as const),
]
type Table = (typeof tables)[number]

/** Rows to read from a table at most. */
const linksAtMost = 1_000_000

/** Bytes of its tables' definitions; Calibre's have some 30 KB. */
const schemaAtMost = 500_000

const notCalibre = () => new ImportError('calibreNot')

const allowed = new Set<number>([constants.SQLITE_SELECT, constants.SQLITE_READ])

/**
 * Reads the books of Calibre's `metadata.db`, with the column names of Calibre's CSV catalogue. The
 * file may come from anyone, so it is never written, nothing in it runs, and its tables are joined
 * here, in linear time.
 *
 * @throws ImportError for a database that isn't Calibre's, or is damaged
 */
export function* readCalibre(path: string): Generator<Cells> {
  try {
    if (schemaSize(path) > schemaAtMost) throw notCalibre()
    using db = openDatabase(path)
    const has = tablesOf(db)
    // Allow nothing but reads from plain tables.
    db.setAuthorizer((action) =>
      allowed.has(action) ? constants.SQLITE_OK : constants.SQLITE_DENY,
    )
    yield* booksOf(db, has)
  } catch (cause) {
    if (cause instanceof ImportError) throw cause
    throw new ImportError('calibreDamaged', {}, cause)
  }
}

function openDatabase(path: string): DatabaseSync {
  const address = pathToFileURL(path)
  // SQLite neither looks for a journal file nor creates one.
  address.searchParams.set('immutable', '1')
  const db = new DatabaseSync(address, { readOnly: true, defensive: true })
  db.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA query_only = ON')
  return db
}

function tablesOf(db: DatabaseSync): ReadonlySet<Table> {
  const found = new Map(
    db
      .prepare('SELECT name, type, sql FROM sqlite_master LIMIT 5000')
      .all()
      .map(({ name, type, sql }) => [String(name), type === 'table' ? String(sql) : '']),
  )
  // Skip views and tables with computed columns.
  const plain = tables.filter(
    (name) => /^CREATE TABLE /i.test(found.get(name) ?? '') && !isComputed(db, name),
  )
  if (!['books', 'authors', 'books_authors_link'].every((name) => plain.includes(name as Table)))
    throw notCalibre()
  return new Set(plain)
}

function isComputed(db: DatabaseSync, table: Table): boolean {
  return db
    .prepare(`PRAGMA table_xinfo(${table})`)
    .all()
    .some(({ hidden }) => hidden !== 0)
}

function* booksOf(db: DatabaseSync, has: ReadonlySet<Table>): Generator<Cells> {
  const rows = (table: Table, sql: string) =>
    has.has(table) ? db.prepare(`${sql} LIMIT ${linksAtMost}`).iterate() : []
  /** The names linked to each book, in Calibre's order. */
  const linked = (table: Table, link: Table, column: string, value: string) => {
    const names = new Map<number, string>()
    for (const row of rows(table, `SELECT id, ${value} AS value FROM ${table}`))
      names.set(Number(row['id']), text(row['value']))
    const of = new Map<number, string[]>()
    for (const row of rows(link, `SELECT book, ${column} AS id FROM ${link}`))
      add(of, Number(row['book']), names.get(Number(row['id'])) ?? '')
    return of
  }
  const authors = linked('authors', 'books_authors_link', 'author', 'name')
  const tags = linked('tags', 'books_tags_link', 'tag', 'name')
  const ratings = linked('ratings', 'books_ratings_link', 'rating', 'rating')
  const formats = new Map<number, string[]>()
  for (const row of rows('data', 'SELECT book, format FROM data'))
    add(formats, Number(row['book']), text(row['format']).toLowerCase())
  const identifiers = new Map<number, string[]>()
  for (const row of rows('identifiers', 'SELECT book, type, val FROM identifiers'))
    add(identifiers, Number(row['book']), `${text(row['type'])}:${text(row['val'])}`)
  let count = 0
  for (const row of db.prepare('SELECT id, title, timestamp, uuid FROM books').iterate()) {
    if (++count > maxRows + 1) return
    const id = Number(row['id'])
    // A database without keys can have the book again, which must not multiply its links.
    const all = (of: Map<number, string[]>, separator: string) => {
      const values = of.get(id) ?? []
      of.delete(id)
      return values.join(separator)
    }
    yield {
      id: String(id),
      title: text(row['title']),
      // Calibre stores a comma in a name as a bar.
      authors: all(authors, ' & ').replaceAll('|', ','),
      // Calibre stores two points per star.
      rating: String(Number(all(ratings, '') || 0) / 2),
      tags: all(tags, ', '),
      formats: all(formats, ', '),
      identifiers: all(identifiers, ','),
      timestamp: text(row['timestamp']),
      uuid: text(row['uuid']),
    }
  }
}

/** Characters to keep of a text. */
const textAtMost = 2000

const text = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, textAtMost) : ''

/** Names to keep of each kind that are linked to one book. */
const namesAtMost = 1000

function add(to: Map<number, string[]>, id: number, value: string): void {
  if (!value) return
  const values = to.getOrInsertComputed(id, () => [])
  if (values.length < namesAtMost) values.push(value)
}
