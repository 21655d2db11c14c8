import { sql } from 'kysely'
import { ApiError, texts, named, text } from '#records/index.ts'
import type { LibraryTransaction } from '#server/collections/stored.ts'
import type {
  ImportCandidate,
  ImportedBook,
  ImportRecord,
  ImportRow,
  ImportRowState,
} from '#shared/import.ts'
import type { Plan } from '#shared/plan.ts'
import { bookKey, type Status } from '#shared/user-book.ts'
import { suppressActivities } from '#server/library/activities.ts'
import { requireShelfLimit } from '#server/library/bookshelves.ts'
import { query } from '#server/storage/query.ts'
import { applyExport } from './apply-export.ts'
import { noteProgress } from './claims.ts'
import { ImportError } from './import-error.ts'
import { isSameEdition } from '#server/titles/compare.ts'
import type { ImportDeps } from './read-import.ts'
import { mergeIntoOwned, updatedOf, versionOf, type RecordVersion } from './merge-owned.ts'
import { readingsOf } from './book-readings.ts'
import { because, refusedBecause, type StoredReason } from './reason.ts'
import { countRowState } from './row-counts.ts'
import { tagsOf } from './book-tags.ts'
import { letRequestsRun, throttle } from '#server/runtime/throttle.ts'

/**
 * Rows per transaction, and milliseconds after which no more are added, as other writes wait.
 * SQLite writes them all when it commits, which takes a millisecond for 25 rows.
 */
export const batch = { atMost: 5, within: 50 }

/** The shelf for the books, and the status of those for which the file has none that we know. */
interface Target {
  user: string
  shelf: string
  noStatus: Status
}

/** The next rows: up to `atMost` after a row number. */
interface Next {
  after: number
  atMost: number
}

/**
 * Adds an import's books to its shelf, a few rows at a time. A row's state and its book are written
 * in one transaction, so the import can continue after any interruption without adding a row twice.
 */
export async function applyImport(
  deps: Pick<ImportDeps, 'database' | 'records' | 'storage' | 'folder' | 'signal'>,
  { id }: Pick<ImportRecord, 'id'>,
  planDefault: Plan,
): Promise<void> {
  const { records } = deps
  const record = (await records.find('imports', id)) as unknown as ImportRecord | null
  if (record?.state !== 'applying') return
  if (record.format === 'octavo' && !(await applyExport(deps, record, planDefault))) return
  const next: Next = { after: 0, atMost: batch.atMost }
  while (!deps.signal.aborted) {
    try {
      const last = await throttle(() => applyRows(records, id, next, planDefault))
      if (last === null) return
      next.after = last
      next.atMost = Math.min(batch.atMost, 2 * next.atMost)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // One of them was refused. Apply them one by one, so that the rest are added.
      if (next.atMost === 1) await refuse(records, id, next, error)
      else next.atMost = 1
    }
  }
}

/**
 * @returns the number of the last row; null once the import is done, waiting or no longer being
 *   applied
 */
async function applyRows(
  records: ImportDeps['records'],
  id: string,
  next: Next,
  planDefault: Plan,
): Promise<number | null> {
  const apply = async (tx: LibraryTransaction) => {
    const record = (await tx.find('imports', id)) as unknown as ImportRecord | null
    if (record?.state !== 'applying') return null
    const rows = await rowsOf(tx, id, next)
    if (!rows.length) {
      await tx.update('imports', id, { state: 'done' })
      return null
    }
    suppressActivities(tx)
    const added = record.options?.unmatched === 'skip' ? ['matched'] : ['matched', 'unmatched']
    const isAdded = ({ state }: Row) => added.includes(state)
    const target = rows.some(isAdded) ? await targetOf(tx, record, planDefault) : undefined
    if (target === null) return null
    const end = performance.now() + batch.within
    let last = next.after
    for (const row of rows) {
      if (target && isAdded(row)) await applyRow(tx, row, target)
      else if (row.state === 'duplicate' && row.result?.owned)
        await settleOwned(tx, row, row.result.owned)
      last = row.number
      if (performance.now() > end) break
      await letRequestsRun()
    }
    await noteProgress(tx, id)
    return last
  }
  // Rows lost in a power failure are applied again.
  return records.write(apply, { isDurable: false })
}

/** A row while it is applied. */
interface Row extends Pick<ImportRow, 'id' | 'import' | 'number' | 'state' | 'read'> {
  book: ImportRow['book']
  warnings: ImportRow['warnings']
  /** For a duplicate: the id of the reader's book. */
  result: { owned?: string } | null
}

/** Reads rows without locking them, as nobody else changes them while the import is locked. */
async function rowsOf(tx: LibraryTransaction, id: string, { after, atMost }: Next): Promise<Row[]> {
  const rows = await query(
    tx,
    sql`SELECT id, number, state, "read", book, warnings, result FROM import_rows
      WHERE import = ${id} AND number > ${after} ORDER BY number LIMIT ${atMost}`,
  )
  return rows.map(([row, number, state, ...json]) => {
    const [read, book, warnings, result] = json.map(
      (text) => JSON.parse(String(text || 'null')) as unknown,
    )
    return { id: row, import: id, number, state, read, book, warnings, result } as Row
  })
}

async function refuse(
  records: ImportDeps['records'],
  id: string,
  next: Next,
  error: ApiError,
): Promise<void> {
  await records.write(async (tx) => {
    if ((await tx.find('imports', id))?.['state'] !== 'applying') return
    const [row] = await rowsOf(tx, id, next)
    if (row) await settle(tx, row, { state: 'invalid', ...refusedBecause(error) })
  })
}

async function applyRow(tx: LibraryTransaction, row: Row, target: Target): Promise<void> {
  const chosen = row.book?.isOwned ? await tx.find('user_books', row.book.id) : null
  if (chosen?.['user'] === target.user) return settleOwned(tx, row, chosen.id)
  const read = withChosenStatus(row, target)
  const book = toUserBook(read, row.book, target)
  if (!book.title) return settle(tx, row, { state: 'skipped', ...because('noTitleFound') })
  let owned = await ownedBook(tx, target.user, book)
  if (owned && !isSameEdition(book, owned)) {
    // Two of the reader's books can't share an ISBN, and the earlier one has it.
    book.isbn = ''
    owned = await ownedBook(tx, target.user, book)
  }
  if (owned) return settleOwned(tx, row, owned.id)
  const made = await tx.create('user_books', book)
  await letRequestsRun()
  const readings: RecordVersion[] = []
  for (const reading of readingsOf(read, read.status || 'planning')) {
    const { user } = target
    const values = { ...reading, user, book_key: made.book_key, source: 'import' as const }
    readings.push(versionOf(await tx.create('readings', values)))
    await letRequestsRun()
  }
  const result = { book: made.id, updated: updatedOf(made), readings }
  return settle(tx, row, { state: 'applied', result })
}

async function settle(
  tx: LibraryTransaction,
  row: Row,
  values: Partial<StoredReason> & { state: ImportRowState; result?: object },
): Promise<void> {
  await tx.update('import_rows', row.id, values)
  countRowState(tx, row.import, row.state, values.state)
}

/** Gives a book the status that the reader has chosen for those without one in the file. */
function withChosenStatus({ read, warnings }: Row, { noStatus }: Target): ImportedBook {
  const isUnknown = warnings?.some(({ key }) => key === 'statusMissing' || key === 'statusUnknown')
  return isUnknown ? { ...read!, status: noStatus } : read!
}

/** Takes the reader's own data from the file, and data about the book from the catalogue. */
function toUserBook(read: ImportedBook, found: ImportCandidate | null, { user, shelf }: Target) {
  return {
    user,
    shelf,
    title: found?.title || read.title,
    authors: found?.authors.length ? found.authors : read.authors,
    genres: found?.genres ?? [],
    images: found?.images ?? [],
    isbn: read.isbn || (found?.isbn ?? ''),
    page_count: read.pages || (found?.page_count ?? 0),
    progress: read.progress,
    rating: read.rating,
    status: read.status || 'planning',
    tags: tagsOf(read),
    notes: read.notes,
    review: read.review,
    review_spoilers: read.spoilers,
    format: read.format,
    duration: read.duration,
    isPrivate: read.isPrivate,
    // The source only has the day. Noon UTC is the same day almost everywhere.
    ...(read.added.length === 10 && { created: `${read.added} 12:00:00.000Z` }),
  }
}

/** @returns one of the reader's books with the same key, if there is one */
async function ownedBook(
  tx: LibraryTransaction,
  user: string,
  book: { isbn: string; title: string; authors: string[] },
) {
  const key = bookKey(book)
  const rows = await query(
    tx,
    sql`SELECT id, title, authors FROM user_books WHERE book_key = ${key} AND "user" = ${user} LIMIT 1`,
  )
  return named(rows, { id: text, title: text, authors: texts })[0] ?? null
}

/** Fills in what the reader's existing book lacks. */
async function settleOwned(tx: LibraryTransaction, row: Row, owned: string): Promise<void> {
  const merged = row.read && (await mergeIntoOwned(tx, owned, row.read))
  if (merged)
    return settle(tx, row, { state: 'applied', ...because('completed'), result: { merged } })
  if (row.state !== 'duplicate') await settle(tx, row, { state: 'duplicate', ...because('owned') })
}

/** @returns null if the plan allows no further shelf; then the import waits with an error */
async function targetOf(
  tx: LibraryTransaction,
  { id, user, options }: ImportRecord,
  planDefault: Plan,
): Promise<Target | null> {
  const noStatus = options?.no_status ?? 'planning'
  const chosen = options?.shelf ? await tx.find('bookshelves', options.shelf) : null
  if (chosen?.user === user) return { user, shelf: chosen.id, noStatus }
  try {
    await requireShelfLimit(tx, { user }, planDefault)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const advice = new ImportError('chooseOwnShelf', { sentence: error.message })
    const { message, reason } = advice
    await tx.update('imports', id, { state: 'waiting', error: message, message: reason })
    return null
  }
  const name = options?.shelf_name || 'Imported books'
  const made = await tx.create('bookshelves', { user, name, visibility: 'private' })
  await tx.update('imports', id, { made: made.id, options: { ...options, shelf: made.id } })
  return { user, shelf: made.id, noStatus }
}
