import { sql } from 'kysely'
import { type StoredRecord, named, text } from '#records/index.ts'
import type { LibraryTransaction } from '#server/collections/stored.ts'
import type { ImportedBook } from '#shared/import.ts'
import type { Reading } from '#shared/reading.ts'
import { cleanTags, maxTags } from '#shared/tags.ts'
import { query } from '#server/storage/query.ts'
import { addQuotes } from './add-quotes.ts'
import { mergeReadings } from './merge-readings.ts'
import { tagsOf } from './book-tags.ts'
import {
  change,
  deleteAll,
  haveChanged,
  restore,
  updatedOf,
  versionOf,
  type ChangedRecord,
  type RecordVersion,
} from './record-versions.ts'

/** A row's additions to an existing book, so that they can be undone. */
export interface MergeResult {
  books: ChangedRecord[]
  readings: RecordVersion[]
  /** Existing readings that were given days, or were ended. */
  begun?: ChangedRecord[]
  /** The book's new records on further shelves. */
  copies?: RecordVersion[]
  quotes?: RecordVersion[]
  /** Quotes that were marked anew since. */
  requoted?: ChangedRecord[]
}

/** What a book's record on another shelf takes from the one that is known; all else is shared. */
const copied = ['user', 'title', 'authors', 'genres', 'images', 'isbn', 'page_count'] as const

/**
 * Fills in what a reader's book lacks and a row has: rating, review, notes, format, facts, tags,
 * readings and their days. A row that brings the book further changes its status, too. The reader's own
 * entries are never replaced.
 *
 * @param id of a record of `user_books`; the reader's other copies of the book are changed too
 * @param shelves that the book is to be on
 * @returns null if there is nothing to add
 */
export async function mergeIntoOwned(
  tx: LibraryTransaction,
  id: string,
  read: ImportedBook,
  shelves: readonly string[],
): Promise<MergeResult | null> {
  const book = await tx.find('user_books', id)
  if (!book) return null
  const known = await readingsOfBook(tx, book)
  const now = book['status'] || 'planning'
  const { added, changed, status } = mergeReadings(known, now, read)
  const values = { ...missingValues(book, read), ...(status && { status }) }
  const copies = await copiesOf(tx, book)
  const lacking = shelves.filter((shelf) => copies.every((copy) => copy['shelf'] !== shelf))
  const { quotes, requoted } = await addQuotes(tx, book, read.quotes ?? [])
  const all = [Object.keys(values), added, changed, lacking, quotes, requoted]
  if (!all.some((some) => some.length > 0)) return null
  const merged: MergeResult = { books: [], readings: [], begun: [], copies: [], quotes, requoted }
  for (const { id: reading, values: days } of changed)
    merged.begun!.push(await change(tx, 'readings', reading, days))
  if (Object.keys(values).length)
    for (const copy of copies) merged.books.push(await change(tx, 'user_books', copy.id, values))
  const { user, book_key } = book
  for (const reading of added)
    merged.readings.push(
      versionOf(await tx.create('readings', { ...reading, user, book_key, source: 'import' })),
    )
  const facts = Object.fromEntries(copied.map((name) => [name, book[name]]))
  for (const shelf of lacking)
    merged.copies!.push(versionOf(await tx.create('user_books', { ...facts, shelf })))
  return merged
}

function missingValues(book: StoredRecord, read: ImportedBook): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  if (!book['rating'] && read.rating) values['rating'] = read.rating
  if (!book['review'] && read.review) {
    values['review'] = read.review
    values['review_spoilers'] = read.spoilers
  }
  if (!book['notes'] && read.notes) values['notes'] = read.notes
  if (!book['format'] && read.format) values['format'] = read.format
  if (!book['duration'] && read.duration) values['duration'] = read.duration
  if (!book['isPrivate'] && read.isPrivate) values['isPrivate'] = true
  const { series_position, ...facts } = read.facts ?? {}
  for (const [name, value] of Object.entries(facts)) if (!book[name] && value) values[name] = value
  if (values['series']) values['series_position'] = series_position
  const known = (book['tags'] as string[] | null) ?? []
  const tags = cleanTags([...known, ...tagsOf(read)]).slice(0, maxTags)
  if (tags.length > known.length) values['tags'] = tags
  return values
}

async function readingsOfBook(tx: LibraryTransaction, { user, book_key }: StoredRecord) {
  const rows = await query(
    tx,
    sql`SELECT started, finished, outcome, id FROM readings
      WHERE "user" = ${user} AND book_key = ${book_key} ORDER BY finished, started, id`,
  )
  return named(rows, {
    started: text,
    finished: text,
    outcome: (outcome) => outcome as Reading['outcome'],
    id: text,
  })
}

async function copiesOf(
  tx: LibraryTransaction,
  { user, book_key }: StoredRecord,
): Promise<StoredRecord[]> {
  const rows = await query(
    tx,
    sql`SELECT id FROM user_books WHERE "user" = ${user} AND book_key = ${book_key} ORDER BY id`,
  )
  const found = await Promise.all(
    named(rows, { id: text }).map(({ id }) => tx.find('user_books', id)),
  )
  return found.filter((one) => one !== null)
}

/**
 * Undoes what a row has added.
 *
 * @returns whether everything could be undone; books and readings changed since stay as they are
 */
export async function undoMerge(tx: LibraryTransaction, merged: MergeResult): Promise<boolean> {
  const { books, readings, begun = [], copies = [], quotes = [], requoted = [] } = merged
  if (await haveChanged(tx, 'readings', [...readings, ...begun])) return false
  if (await haveChanged(tx, 'user_books', copies)) return false
  if (await haveChanged(tx, 'quotes', [...quotes, ...requoted])) return false
  let isWhole = true
  for (const { id, updated, before } of books) {
    const book = await tx.find('user_books', id)
    if (!book) continue
    if (updatedOf(book) === updated) await restore(tx, 'user_books', id, before)
    else isWhole = false
  }
  if (!isWhole) return false
  await deleteAll(tx, 'user_books', copies)
  await deleteAll(tx, 'readings', readings)
  await deleteAll(tx, 'quotes', quotes)
  for (const { id, before } of begun)
    if (await tx.find('readings', id)) await restore(tx, 'readings', id, before)
  for (const { id, before } of requoted)
    if (await tx.find('quotes', id)) await restore(tx, 'quotes', id, before)
  return true
}
