import type { DatabaseSync } from 'node:sqlite'
import { openForeignDatabase, type TableColumns } from './foreign-database.ts'
import { ImportError } from './import-error.ts'
import type { Cells } from './row.ts'
import { maxRows } from './table.ts'

const required = ['books', 'authors', 'books_authors_link']
/** The tables to read, beside those of a reader's own columns. */
const tables: readonly string[] = [
  ...required,
  'tags',
  'books_tags_link',
  'identifiers',
  'comments',
  'ratings',
  'books_ratings_link',
  'data',
  'custom_columns',
  'series',
  'books_series_link',
  'languages',
  'books_languages_link',
]

/** A column that the reader has added to the library. */
interface CustomColumn {
  label: string
  datatype: string
  table: string
  /** The table that links its values to books; '' if they are in `table` themselves. */
  link: string
}

/** Columns that a reader has added, to read at most. */
const customAtMost = 100
const isCustom = (name: string) => /^(?:books_)?custom_column_\d+(?:_link)?$/.test(name)

/** Rows to read from a table at most. */
const linksAtMost = 1_000_000

const notCalibre = () => new ImportError('databaseUnknown')

/**
 * Reads the books of Calibre's `metadata.db`, with the column names of Calibre's CSV catalogue. The
 * file may come from anyone, so its tables are joined here, in linear time.
 *
 * @throws ImportError for a database that isn't Calibre's, or is damaged
 */
export function* readCalibre(path: string): Generator<Cells> {
  try {
    const isWanted = (name: string) => tables.includes(name) || isCustom(name)
    using library = openForeignDatabase(path, isWanted)
    if (!library || !required.every((name) => library.tables.has(name))) throw notCalibre()
    yield* booksOf(library.db, library.tables)
  } catch (cause) {
    if (cause instanceof ImportError) throw cause
    throw new ImportError('calibreDamaged', {}, cause)
  }
}

/** Finds the columns that the reader has added, and whose tables can be read. */
function customColumns(db: DatabaseSync, has: TableColumns): CustomColumn[] {
  if (!has.has('custom_columns')) return []
  const sql = `SELECT id, label, datatype FROM custom_columns LIMIT ${customAtMost}`
  const all = db.prepare(sql).all()
  return all.flatMap((row): CustomColumn[] => {
    const table = `custom_column_${Number(row['id'])}`
    if (!has.has(table)) return []
    const link = `books_${table}_link`
    const [label, datatype] = [text(row['label']), text(row['datatype'])]
    return [{ label, datatype, table, link: has.has(link) ? link : '' }]
  })
}

/** @returns a value of a column as a reader would write it */
function customValue(datatype: string, value: unknown): string {
  if (datatype === 'bool') return value ? 'yes' : 'no'
  // Calibre stores two points per star.
  return datatype === 'rating' ? String(Number(value) / 2) : text(value)
}

function* booksOf(db: DatabaseSync, has: TableColumns): Generator<Cells> {
  const rows = (table: string, sql: string) =>
    has.has(table) ? db.prepare(`${sql} LIMIT ${linksAtMost}`).iterate() : []
  /** The names linked to each book, in Calibre's order. */
  const linked = (
    table: string,
    link: string,
    column: string,
    { value, read = text }: { value: string; read?: (value: unknown) => string },
  ) => {
    const names = new Map<number, string>()
    for (const row of rows(table, `SELECT id, ${value} AS value FROM ${table}`))
      names.set(Number(row['id']), read(row['value']))
    const of = new Map<number, string[]>()
    for (const row of rows(link, `SELECT book, ${column} AS id FROM ${link}`))
      add(of, Number(row['book']), names.get(Number(row['id'])) ?? '')
    return of
  }
  const authors = linked('authors', 'books_authors_link', 'author', { value: 'name' })
  const tags = linked('tags', 'books_tags_link', 'tag', { value: 'name' })
  const ratings = linked('ratings', 'books_ratings_link', 'rating', { value: 'rating' })
  const series = linked('series', 'books_series_link', 'series', { value: 'name' })
  const languages = linked('languages', 'books_languages_link', 'lang_code', {
    value: 'lang_code',
  })
  const custom = customColumns(db, has).map(({ label, datatype, table, link }) => {
    const read = (value: unknown) => customValue(datatype, value)
    if (link) return { label, of: linked(table, link, 'value', { value: 'value', read }) }
    const of = new Map<number, string[]>()
    for (const row of rows(table, `SELECT book, value FROM ${table}`))
      add(of, Number(row['book']), read(row['value']))
    return { label, of }
  })
  const formats = new Map<number, string[]>()
  for (const row of rows('data', 'SELECT book, format FROM data'))
    add(formats, Number(row['book']), text(row['format']).toLowerCase())
  const identifiers = new Map<number, string[]>()
  for (const row of rows('identifiers', 'SELECT book, type, val FROM identifiers'))
    add(identifiers, Number(row['book']), `${text(row['type'])}:${text(row['val'])}`)
  const commentOf = inOrder(rows('comments', 'SELECT book, text FROM comments ORDER BY book'))
  const more = ['series_index', 'pubdate'].filter((name) => has.get('books')?.includes(name))
  const wanted = ['id', 'title', 'timestamp', 'uuid', ...more].join()
  let count = 0
  for (const row of db.prepare(`SELECT ${wanted} FROM books ORDER BY id`).iterate()) {
    if (++count > maxRows + 1) return
    const id = Number(row['id'])
    // A database without keys can have the book again, which must not multiply its links.
    const all = (of: Map<number, string[]>, separator: string) => {
      const values = of.get(id) ?? []
      of.delete(id)
      return values.join(separator)
    }
    const added = custom.map(({ label, of }) => [`#${label}`, all(of, ', ')] as const)
    yield {
      ...Object.fromEntries(added.filter(([, value]) => value)),
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
      series: all(series, ', '),
      series_index: text(row['series_index']),
      languages: all(languages, ', '),
      pubdate: text(row['pubdate']),
      comments: commentOf(id),
    }
  }
}

/**
 * Comments can be too long for all of them to be in memory.
 *
 * @param comments by book, in ascending order
 * @returns gives a book's comment, if it is asked in the same order
 */
function inOrder(comments: Iterable<Record<string, unknown>>): (book: number) => string {
  const all = comments[Symbol.iterator]()
  let next = all.next()
  return (book) => {
    while (!next.done && Number(next.value['book']) < book) next = all.next()
    if (next.done || Number(next.value['book']) !== book) return ''
    return text(next.value['text'], commentAtMost)
  }
}

/** Characters to keep of a text, and of a comment, which is HTML. */
const [textAtMost, commentAtMost] = [2000, 60_000]

const text = (value: unknown, atMost = textAtMost) =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, atMost) : ''

/** Names to keep of each kind that are linked to one book. */
const namesAtMost = 1000

function add(to: Map<number, string[]>, id: number, value: string): void {
  if (!value) return
  const values = to.getOrInsertComputed(id, () => [])
  if (values.length < namesAtMost) values.push(value)
}
