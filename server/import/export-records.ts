import type { ImportedBook } from '#shared/import.ts'
import { bookKey } from '#shared/user-book.ts'
import { emptyBook, type ExportedRecord, type ParsedRow } from './row.ts'

const times = ['created', 'updated'] as const

/**
 * The fields of our own export to restore, in the order in which records depend on each other.
 * Fields that the server computes are left out.
 */
export const exportFields = {
  settings: ['isPrivate', 'default_add_status', 'country', 'stores', 'time_zone'],
  bookshelves: ['name', 'visibility', ...times],
  user_books: [
    ...(['shelf', 'title', 'authors', 'genres', 'page_count', 'isbn', 'images'] as const),
    ...(['progress', 'progress_percent', 'rating', 'status', 'tags', 'notes', 'review'] as const),
    ...(['review_spoilers', 'format', 'duration', 'progress_minutes', 'isPrivate'] as const),
    ...(['position', ...times] as const),
  ],
  readings: [
    ...(['book_key', 'started', 'finished', 'outcome', 'format', 'pages', 'minutes'] as const),
    ...(['rating', 'source', ...times] as const),
  ],
  progress_log: [
    ...(['book_key', 'reading', 'day', 'at', 'unit', 'from', 'to', 'minutes', 'source'] as const),
  ],
  quotes: ['book_key', 'text', 'note', 'page', 'percent', 'isPrivate', ...times],
  goals: ['year', 'kind', 'target', 'isPrivate', ...times],
} as const
export type ExportCollection = keyof typeof exportFields

/** Fields whose pictures are in the ZIP file. */
export const pictureFields: Partial<Record<ExportCollection, string>> = {
  settings: 'background',
  user_books: 'image',
}
export const exportCollections = Object.keys(exportFields) as ExportCollection[]

/** @returns the row for a record of our own export */
export function parseExportedRecord(collection: ExportCollection, value: unknown): ParsedRow {
  const record = (value && typeof value === 'object' ? value : {}) as Record<string, unknown>
  const values = Object.fromEntries(
    exportFields[collection].filter((name) => name in record).map((name) => [name, record[name]]),
  )
  const { id } = record
  const picture = record[pictureFields[collection] ?? '']
  const source = { collection, id, ...values, ...(picture ? { picture } : {}) }
  if (typeof id !== 'string' || !id)
    return { source, book: null, reason: 'This record in the export has no ID.' }
  const book = { ...emptyBook, title: nameOf(collection, values) }
  return {
    source,
    book: collection === 'user_books' ? bookOf(values) : book,
    reason: '',
    own: { collection, values },
  }
}

/** A row's title in the list of rows. */
function nameOf(collection: ExportCollection, values: Record<string, unknown>): string {
  const said = (name: string) => {
    const value = values[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  const days = [said('started'), said('finished')].filter(Boolean).join(' – ')
  switch (collection) {
    case 'settings':
      return 'Settings'
    case 'bookshelves':
      return said('name')
    case 'readings':
      return [said('book_key').replace('|', ' · '), days].filter(Boolean).join(', ')
    case 'progress_log':
      return `${said('book_key').replace('|', ' · ')}, ${said('day')}`
    case 'quotes':
      return said('text').slice(0, 200)
    case 'goals':
      return `${said('year')}: ${said('target')} ${said('kind')}`
    default:
      return ''
  }
}

/**
 * The data of an exported book that can be merged into an existing one. Its readings have their own
 * rows.
 */
function bookOf(values: Record<string, unknown>): ImportedBook {
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : '')
  const list = (name: string) => (Array.isArray(values[name]) ? values[name].map(String) : [])
  return {
    ...emptyBook,
    title: text('title'),
    authors: list('authors'),
    isbn: text('isbn'),
    tags: list('tags'),
    rating: Number(values['rating']) || 0,
    review: text('review'),
    spoilers: values['review_spoilers'] === true,
    notes: text('notes'),
    format: text('format') as ImportedBook['format'],
    pages: Number(values['page_count']) || 0,
  }
}

/**
 * A key that is equal for records of the same thing, whatever their ids. Several records may share
 * a key, such as two undated readings.
 *
 * @param values of a record here, or of an exported one with its relations mapped to this library
 */
export function identityKey({ collection, values }: ExportedRecord): string {
  const parts = (...names: string[]) => [
    collection,
    ...names.map((name) => JSON.stringify(values[name] ?? null)),
  ]
  switch (collection) {
    case 'settings':
      return collection
    case 'bookshelves':
      return parts('name').join('|')
    case 'user_books':
      return [collection, values['shelf'], bookKeyOf(values)].join('|')
    case 'readings':
      return parts('book_key', 'started', 'finished', 'outcome').join('|')
    case 'progress_log':
      return parts('book_key', 'day', 'unit', 'from', 'to').join('|')
    case 'quotes':
      return parts('book_key', 'text', 'page', 'percent').join('|')
    case 'goals':
      return parts('year', 'kind').join('|')
  }
}

/** @returns the book's key as in `user_books`, even for invalid values */
export function bookKeyOf(values: Record<string, unknown>): string {
  const { isbn, title, authors } = bookOf(values)
  return bookKey({ isbn, title: title.trim(), authors })
}
