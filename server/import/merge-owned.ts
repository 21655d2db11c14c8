import { sql } from 'kysely'
import { pick } from '#server/collections/pick.ts'
import { columnsOf, selectBy } from '#server/collections/select.ts'
import type { LibraryTransaction, Stored, StoredValues } from '#server/collections/stored.ts'
import type { ImportedBook } from '#shared/import.ts'
import type { Outcome } from '#shared/reading.ts'
import { cleanTags, maxTags } from '#shared/tags.ts'
import type { BookFacts } from '#shared/user-book.ts'
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
  const { user, book_key } = book
  const known = await readingsOfBook(tx, book)
  const { added, changed, status } = mergeReadings(known, book.status || 'planning', read)
  const values = { ...missingValues(book, read), ...(status && { status }) }
  const copies = await copiesOf(tx, { user, book_key })
  const lacking = shelves.filter((shelf) => copies.every((copy) => copy.shelf !== shelf))
  const { quotes, requoted } = await addQuotes(tx, book, read.quotes ?? [])
  const all = [Object.keys(values), added, changed, lacking, quotes, requoted]
  if (!all.some((some) => some.length > 0)) return null
  const merged: MergeResult = { books: [], readings: [], begun: [], copies: [], quotes, requoted }
  for (const { id: reading, values: days } of changed)
    merged.begun!.push(await change(tx, 'readings', reading, days))
  if (Object.keys(values).length)
    for (const copy of copies) merged.books.push(await change(tx, 'user_books', copy.id, values))
  for (const reading of added)
    merged.readings.push(
      versionOf(await tx.create('readings', { ...reading, user, book_key, source: 'import' })),
    )
  for (const shelf of lacking)
    merged.copies!.push(versionOf(await tx.create('user_books', { ...pick(book, copied), shelf })))
  return merged
}

function missingValues(book: Stored<'user_books'>, read: ImportedBook): StoredValues<'user_books'> {
  const { rating, review, notes, format, duration, isPrivate } = read
  const { series_position, ...facts }: Partial<BookFacts> = read.facts ?? {}
  const known = book.tags ?? []
  const tags = cleanTags([...known, ...tagsOf(read)]).slice(0, maxTags)
  const simple = { rating, review, notes, format, duration, isPrivate, ...facts }
  const lacking = keysOf(simple).filter((name) => !book[name] && simple[name])
  return {
    ...pick(simple, lacking),
    ...(lacking.includes('review') && { review_spoilers: read.spoilers }),
    ...(lacking.includes('series') && { series_position }),
    ...(tags.length > known.length && { tags }),
  }
}

/** @returns an object's own keys, for one that has no others than its type says */
const keysOf = <T extends object>(values: T) => Object.keys(values) as (keyof T)[]

function readingsOfBook(tx: LibraryTransaction, { user, book_key }: Stored<'user_books'>) {
  return query(
    tx,
    sql`SELECT id, started, finished, outcome FROM readings
      WHERE "user" = ${user} AND book_key = ${book_key} ORDER BY finished, started, id`,
    {
      ...columnsOf('readings', 'id', 'started', 'finished'),
      // A reading always has one.
      outcome: (outcome) => outcome as Outcome,
    },
  )
}

const copiesOf = selectBy('user_books', ['id', 'shelf'], ['user', 'book_key'], sql`ORDER BY id`)

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
