import { sql } from 'kysely'
import type { StoredRecord, WriteTransaction } from '#records/index.ts'
import type { ImportedBook } from '#shared/import.ts'
import type { Reading } from '#shared/reading.ts'
import { cleanTags, maxTags } from '#shared/tags.ts'
import { modify, query } from '#server/query.ts'
import { missingReadings } from './merge.ts'
import { readingsOf } from './book-readings.ts'
import { tagsOf } from './book-tags.ts'

/** Why a row isn't added as a book. */
export const alreadyOwned = 'You already have this book. We’ll fill in what’s missing.'

/** A row's additions to an existing book, so that they can be undone. */
export interface MergeResult {
  books: ChangedRecord[]
  readings: RecordVersion[]
  /** Existing readings that were given a start date. */
  begun?: ChangedRecord[]
}

/** A record's version, to detect later changes. */
export interface RecordVersion {
  id: string
  updated: string
}

/** A changed record's version, and its earlier values. */
interface ChangedRecord extends RecordVersion {
  before: Record<string, unknown>
}

export const versionOf = ({ id, updated }: StoredRecord): RecordVersion => ({
  id,
  updated: String(updated),
})

/** @returns whether the reader has changed any of them since */
export async function haveChanged(
  tx: WriteTransaction,
  made: readonly RecordVersion[],
): Promise<boolean> {
  for (const { id, updated } of made) {
    const now = await tx.find('readings', id)
    if (now && now['updated'] !== updated) return true
  }
  return false
}

/**
 * Fills in what a reader's book lacks and a row has: rating, review, notes, format, tags, readings,
 * and their start dates. The reader's own entries are never replaced.
 *
 * @param id of a record of `user_books`; the reader's other copies of the book are changed too
 * @returns null if there is nothing to add
 */
export async function mergeIntoOwned(
  tx: WriteTransaction,
  id: string,
  read: ImportedBook,
): Promise<MergeResult | null> {
  const book = await tx.find('user_books', id)
  if (!book) return null
  const values = missingValues(book, read)
  const { added, begun } = await missingTimes(tx, book, read)
  if (!Object.keys(values).length && !added.length && !begun.length) return null
  const merged: MergeResult = { books: [], readings: [], begun: [] }
  for (const { id: reading, started } of begun)
    merged.begun!.push(await change(tx, 'readings', reading, { started }))
  if (Object.keys(values).length)
    for (const copy of await copiesOf(tx, book))
      merged.books.push(await change(tx, 'user_books', copy.id, values))
  const { user, book_key } = book
  for (const reading of added)
    merged.readings.push(
      versionOf(await tx.create('readings', { ...reading, user, book_key, source: 'import' })),
    )
  return merged
}

async function change(
  tx: WriteTransaction,
  collection: 'user_books' | 'readings',
  id: string,
  values: Record<string, unknown>,
): Promise<ChangedRecord> {
  const record = await tx.find(collection, id)
  const names = [...Object.keys(values), 'updated']
  const before = Object.fromEntries(names.map((name) => [name, record![name]]))
  return { ...versionOf(await tx.update(collection, id, values)), before }
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
  const known = (book['tags'] as string[] | null) ?? []
  const tags = cleanTags([...known, ...tagsOf(read)]).slice(0, maxTags)
  if (tags.length > known.length) values['tags'] = tags
  return values
}

/**
 * Finds readings that are missing: dated ones, and as many undated ones as the row counts; and
 * existing readings that lack a start date.
 */
async function missingTimes(tx: WriteTransaction, book: StoredRecord, read: ImportedBook) {
  const rows = await query(
    tx,
    sql`SELECT started, finished, outcome, id FROM readings
      WHERE "user" = ${book['user']} AND book_key = ${book['book_key']}`,
  )
  const known = rows.map(([started, finished, outcome, id]) => ({
    id: String(id),
    started: String(started),
    finished: String(finished),
    outcome: outcome as Reading['outcome'],
  }))
  const times = readingsOf(read, read.status || 'planning')
  const ended = times.filter(({ outcome }) => outcome !== 'reading')
  const dated = missingReadings(known, ended)
  const undated = ended.filter(({ started, finished }) => !started && !finished)
  const have = known.filter(({ outcome }) => outcome !== 'reading').length + dated.length
  const added = [...dated, ...undated.slice(0, Math.max(0, ended.length - have))]
  const begun = known.flatMap(({ id, started, finished }) => {
    const same = ended.find((one) => finished && one.finished === finished && one.started)
    return same && !started ? { id, started: same.started } : []
  })
  return { added, begun }
}

async function copiesOf(
  tx: WriteTransaction,
  { user, book_key }: StoredRecord,
): Promise<StoredRecord[]> {
  const rows = await query(
    tx,
    sql`SELECT id FROM user_books WHERE "user" = ${user} AND book_key = ${book_key} ORDER BY id`,
  )
  const found = await Promise.all(rows.map(([id]) => tx.find('user_books', String(id))))
  return found.filter((one) => one !== null)
}

/**
 * Undoes what a row has added.
 *
 * @returns whether everything could be undone; books and readings changed since stay as they are
 */
export async function undoMerge(tx: WriteTransaction, merged: MergeResult): Promise<boolean> {
  const { books, readings, begun = [] } = merged
  if (await haveChanged(tx, [...readings, ...begun])) return false
  let isWhole = true
  for (const { id, updated, before } of books) {
    const book = await tx.find('user_books', id)
    if (!book) continue
    if (book['updated'] === updated) await restore(tx, 'user_books', id, before)
    else isWhole = false
  }
  if (!isWhole) return false
  for (const { id } of readings) if (await tx.find('readings', id)) await tx.delete('readings', id)
  for (const { id, before } of begun)
    if (await tx.find('readings', id)) await restore(tx, 'readings', id, before)
  return true
}

async function restore(
  tx: WriteTransaction,
  collection: 'user_books' | 'readings',
  id: string,
  before: Record<string, unknown>,
) {
  const { updated, ...values } = before
  await tx.update(collection, id, values)
  // Restore `updated`, too, by which an earlier row's merge detects changes.
  await modify(
    tx,
    collection,
    sql`UPDATE ${sql.table(collection)} SET updated = ${updated} WHERE id = ${id}`,
  )
}
