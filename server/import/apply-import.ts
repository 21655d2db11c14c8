import { sql } from 'kysely'
import { ApiError, letRequestsRun, named, text, texts, throttle } from '#records/index.ts'
import type { LibraryTransaction, Stored } from '#server/collections/stored.ts'
import type { ImportCandidate, ImportedBook, ImportReason, ImportRow } from '#shared/import.ts'
import type { Plan } from '#shared/plan.ts'
import { tagKey } from '#shared/tags.ts'
import { pageAt } from '#shared/reading-position.ts'
import { bookKey } from '#shared/user-book.ts'
import { suppressActivities } from '#server/library/activities.ts'
import { requireShelfLimit } from '#server/library/bookshelves.ts'
import { query } from '#server/storage/query.ts'
import { applyExport } from './apply-export.ts'
import { noteProgress } from './claims.ts'
import { addQuotes } from './add-quotes.ts'
import { ImportError } from './import-error.ts'
import { isSameEdition } from '#server/titles/compare.ts'
import { withLabels } from './labels.ts'
import type { ImportDeps } from './read-import.ts'
import { mergeIntoOwned } from './merge-owned.ts'
import { updatedOf, versionOf, type RecordVersion } from './record-versions.ts'
import { readingsOf } from './book-readings.ts'
import { because, refusedBecause, type StoredReason } from './reason.ts'
import { countRowState } from './row-counts.ts'
import { tagsOf } from './book-tags.ts'

/**
 * Rows per transaction, and milliseconds after which no more are added, as other writes wait.
 * SQLite writes them all when it commits, which takes a millisecond for 25 rows.
 */
export const batch = { atMost: 5, within: 50 }

/** Where a batch's books go. */
interface Target {
  user: string
  /** The shelf for books that have no label for one. */
  shelf: string
  /** The shelves by the labels that become them. */
  labelled: ReadonlyMap<string, string>
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
  { id }: Pick<Stored<'imports'>, 'id'>,
  planDefault: Plan,
): Promise<void> {
  const { records } = deps
  const record = await records.find('imports', id)
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
    const record = await tx.find('imports', id)
    if (record?.state !== 'applying') return null
    const rows = await rowsOf(tx, id, next)
    if (!rows.length) {
      await tx.update('imports', id, { state: 'done' })
      return null
    }
    suppressActivities(tx)
    // Of an import that was done before, only what has been decided since is new.
    const wasDone = record.file === ''
    const isKept = record.options?.unmatched !== 'skip' && !wasDone
    const added = isKept ? ['matched', 'unmatched'] : ['matched']
    const isAdded = ({ state }: StoredRow) => added.includes(state)
    const isMerged = ({ state, result }: StoredRow) =>
      !wasDone && state === 'duplicate' && result?.owned !== undefined
    const isApplied = (row: StoredRow): row is StoredRow & { read: ImportedBook } =>
      row.read !== null && (isAdded(row) || isMerged(row))
    const applied = rows.filter(isApplied).map((row): Row => {
      const { book: read, shelves } = withLabels(row, record.options)
      return {
        ...row,
        read,
        shelves,
        ...(read.status !== row.read.status && { restated: { read } }),
      }
    })
    const target = await targetOf(tx, record, { rows: applied, isAdded }, planDefault)
    if (target === null) return null
    const end = performance.now() + batch.within
    let last = next.after
    for (const { number } of rows) {
      const row = applied.find((one) => one.number === number)
      if (row && isAdded(row)) await applyRow(tx, row, target)
      else if (row) await settleOwned(tx, row, row.result!.owned!, target)
      last = number
      if (performance.now() > end) break
      await letRequestsRun()
    }
    await noteProgress(tx, id)
    return last
  }
  // Rows lost in a power failure are applied again.
  return records.write(apply, { isDurable: false })
}

/** A row as it is stored. */
interface StoredRow extends Pick<
  ImportRow,
  'id' | 'import' | 'number' | 'state' | 'read' | 'book' | 'warnings'
> {
  /** For a duplicate: the id of the reader's book. */
  result: { owned?: string } | null
}

/** A row while it is applied: its book as the reader wants it. */
interface Row extends StoredRow {
  read: ImportedBook
  /** The labels that become shelves of this book. */
  shelves: string[]
  /** What to store of it, if the reader has given it another status than the file. */
  restated?: { read: ImportedBook }
}

/** Reads rows without locking them, as nobody else changes them while the import is locked. */
async function rowsOf(
  tx: LibraryTransaction,
  id: string,
  { after, atMost }: Next,
): Promise<StoredRow[]> {
  const rows = await query(
    tx,
    sql`SELECT id, number, state, "read", book, warnings, result FROM import_rows
      WHERE import = ${id} AND number > ${after} ORDER BY number LIMIT ${atMost}`,
  )
  return rows.map(([row, number, state, ...json]) => {
    const [read, book, warnings, result] = json.map(
      (text) => JSON.parse(String(text || 'null')) as unknown,
    )
    return { id: row, import: id, number, state, read, book, warnings, result } as StoredRow
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
    if (row) await saveRowResult(tx, row, { state: 'invalid', ...refusedBecause(error) })
  })
}

async function applyRow(tx: LibraryTransaction, row: Row, target: Target): Promise<void> {
  const { user } = target
  const chosen = row.book?.isOwned ? await tx.find('user_books', row.book.id) : null
  if (chosen?.['user'] === user) return settleOwned(tx, row, chosen.id, target)
  const { read } = row
  const [shelf = target.shelf, ...others] = shelvesOf(row, target)
  const book = { ...toUserBook(read, row.book), user, shelf }
  if (!book.title) return saveRowResult(tx, row, { state: 'skipped', ...because('noTitleFound') })
  let owned = await ownedBook(tx, user, book)
  if (owned && !isSameEdition(book, owned)) {
    // Two of the reader's books can't share an ISBN, and the earlier one has it.
    book.isbn = ''
    owned = await ownedBook(tx, user, book)
  }
  if (owned) return settleOwned(tx, row, owned.id, target)
  const made = await tx.create('user_books', book)
  await letRequestsRun()
  const copies: RecordVersion[] = []
  for (const other of others)
    copies.push(versionOf(await tx.create('user_books', { ...book, shelf: other })))
  const readings: RecordVersion[] = []
  for (const reading of readingsOf(read, read.status || 'planning')) {
    const values = { ...reading, user, book_key: made.book_key, source: 'import' as const }
    readings.push(versionOf(await tx.create('readings', values)))
    await letRequestsRun()
  }
  const quotes = await addQuotes(tx, made, read.quotes ?? [])
  const result = { book: made.id, updated: updatedOf(made), readings, copies, ...quotes }
  return saveRowResult(tx, row, { state: 'applied', result, ...row.restated })
}

/** @returns the ids of the shelves that a row's labels become, each once */
const shelvesOf = ({ shelves }: Row, { labelled }: Target): string[] => [
  ...new Set(shelves.flatMap((name) => labelled.get(tagKey(name)) ?? [])),
]

async function saveRowResult(
  tx: LibraryTransaction,
  row: StoredRow,
  values: Partial<StoredReason> &
    Pick<ImportRow, 'state'> & { result?: object; read?: ImportedBook },
): Promise<void> {
  await tx.update('import_rows', row.id, values)
  countRowState(tx, row.import, row.state, values.state)
}

/** Takes the reader's own data from the file, and data about the book from the catalogue. */
function toUserBook(read: ImportedBook, found: ImportCandidate | null) {
  const page_count = read.pages || (found?.page_count ?? 0)
  return {
    title: found?.title || read.title,
    authors: found?.authors.length ? found.authors : read.authors,
    genres: found?.genres ?? [],
    images: found?.images ?? [],
    isbn: read.isbn || (found?.isbn ?? ''),
    page_count,
    ...positionOf(read, page_count),
    rating: read.rating,
    status: read.status || 'planning',
    tags: tagsOf(read),
    notes: read.notes,
    review: read.review,
    review_spoilers: read.spoilers,
    format: read.format,
    duration: read.duration,
    isPrivate: read.isPrivate,
    ...read.facts,
    // The source only has the day. Noon UTC is the same day almost everywhere.
    ...(read.added.length === 10 && { created: `${read.added} 12:00:00.000Z` }),
  }
}

/** @returns how far the reader is: the page, or the share of a book without pages */
function positionOf({ progress, percent = 0 }: ImportedBook, page_count: number) {
  if (progress || !percent) return { progress }
  return page_count > 0 ? { progress: pageAt(percent, page_count) } : { progress_percent: percent }
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
async function settleOwned(
  tx: LibraryTransaction,
  row: Row,
  owned: string,
  target: Target,
): Promise<void> {
  const merged = await mergeIntoOwned(tx, owned, row.read, shelvesOf(row, target))
  if (merged)
    return saveRowResult(tx, row, {
      state: 'applied',
      ...because('completed'),
      result: { merged },
      ...row.restated,
    })
  if (row.state !== 'duplicate')
    await saveRowResult(tx, row, { state: 'duplicate', ...because('owned') })
}

/**
 * Finds the shelves for some rows, and makes those that are missing: the one for the import's books,
 * and those that labels become. A shelf of the reader that has the name is used.
 *
 * @returns null if the plan has no room for them; then the import waits with an error
 */
async function targetOf(
  tx: LibraryTransaction,
  record: Stored<'imports'>,
  { rows, isAdded }: { rows: readonly Row[]; isAdded: (row: Row) => boolean },
  planDefault: Plan,
): Promise<Target | null> {
  const { id, user, options } = record
  if (!rows.length) return { user, shelf: '', labelled: new Map() }
  const known = await shelvesOfReader(tx, user)
  const made = record.made ? record.made.split(' ') : []
  const target = {
    user,
    shelf: known.find((shelf) => shelf.id === options?.shelf)?.id ?? '',
    labelled: new Map<string, string>(),
  }
  const shelfNamed = async (name: string, refused: ImportReason['key']): Promise<string> => {
    const found = known.find((shelf) => tagKey(shelf.name) === tagKey(name))
    if (found) return found.id
    await requireShelfLimit(tx, { user }, planDefault).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      throw new ImportError(refused, { sentence: error.message })
    })
    const shelf = await tx.create('bookshelves', { user, name, visibility: 'private' })
    known.push({ id: shelf.id, name })
    made.push(shelf.id)
    return shelf.id
  }
  const save = (values: object) =>
    tx.update('imports', id, {
      made: made.join(' '),
      options: { ...options, ...(target.shelf && { shelf: target.shelf }) },
      ...values,
    })
  try {
    const isNeeded = rows.some((row) => isAdded(row) && !row.shelves.length)
    if (isNeeded && !target.shelf)
      target.shelf = await shelfNamed(options?.shelf_name || 'Imported books', 'chooseOwnShelf')
    for (const name of rows.flatMap((row) => row.shelves))
      target.labelled.set(tagKey(name), await shelfNamed(name, 'chooseFewerShelves'))
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    await save({ state: 'waiting', error: error.message, message: error.reason })
    return null
  }
  if (made.join(' ') !== record.made || target.shelf !== (options?.shelf ?? '')) await save({})
  return target
}

/** @returns a reader's shelves, the oldest first */
async function shelvesOfReader(tx: LibraryTransaction, user: string) {
  const rows = await query(
    tx,
    sql`SELECT id, name FROM bookshelves WHERE "user" = ${user} ORDER BY created, id`,
  )
  return named(rows, { id: text, name: text })
}
