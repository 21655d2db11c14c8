import { sql } from 'kysely'
import { letRequestsRun, throttle } from '#records/index.ts'
import type { LibraryTransaction } from '#server/collections/stored.ts'
import { columnsOf } from '#server/collections/select.ts'
import type { ImportRecord } from '#shared/import.ts'
import { takeBackCompletion } from '#server/library/completed-facts.ts'
import { dropQueued } from '#server/library/completion-queue.ts'
import { suppressActivities } from '#server/library/activities.ts'
import { query } from '#server/storage/query.ts'
import { undoExportedRecord } from './apply-export.ts'
import { batch } from './apply-import.ts'
import { undoMerge, type MergeResult } from './merge-owned.ts'
import { deleteAll, haveChanged, type RecordVersion } from './record-versions.ts'
import type { RestoredRecord } from './export-mapping.ts'
import { toExportedRecord } from './export-records.ts'
import { noteProgress } from './claims.ts'
import type { ImportDeps } from './read-import.ts'
import { because } from './reason.ts'
import { countRowState } from './row-counts.ts'

/** Undoes an import: removes its books, except those the reader has changed since. */
export async function undoImport(
  deps: Pick<ImportDeps, 'records' | 'signal'>,
  { id }: Pick<ImportRecord, 'id'>,
): Promise<void> {
  while (!deps.signal.aborted) if (!(await throttle(() => undoRows(deps.records, id)))) return
}

/** @returns whether there are more rows to undo */
async function undoRows(records: ImportDeps['records'], id: string): Promise<boolean> {
  const undo = async (tx: LibraryTransaction) => {
    const record = await tx.find('imports', id)
    if (record?.state !== 'undoing') return false
    const { made } = record
    const applied = await query(
      tx,
      sql`SELECT id FROM import_rows WHERE import = ${id} AND state = 'applied'
        ORDER BY number DESC LIMIT ${sql.lit(batch.atMost + 1)}`,
      columnsOf('import_rows', 'id'),
    )
    suppressActivities(tx)
    const end = performance.now() + batch.within
    let count = 0
    for (const { id: row } of applied.slice(0, batch.atMost)) {
      await takeBack(tx, id, row)
      count++
      if (performance.now() > end) break
      await letRequestsRun()
    }
    const isMore = count < applied.length
    await noteProgress(tx, id)
    if (isMore) return true
    await dropQueued(tx, record.user, id)
    for (const shelf of made ? made.split(' ') : []) await removeShelf(tx, shelf)
    await tx.update('imports', id, { state: 'undone' })
    return false
  }
  // Rows lost in a power failure are undone again.
  return records.write(undo, { isDurable: false })
}

async function takeBack(tx: LibraryTransaction, id: string, rowId: string): Promise<void> {
  const row = await tx.find('import_rows', rowId)
  if (row?.state !== 'applied') return
  const result = row.result as
    | { merged: MergeResult }
    | { own: RestoredRecord }
    | CreatedBook
    | null
  const isBack = !result || (await takeResultBack(tx, result, row.source))
  if (result && 'merged' in result)
    for (const { id: book } of result.merged.books) await takeBackCompletion(tx, book, id)
  await letRequestsRun()
  const reason = because(isBack ? 'undone' : 'bookChanged')
  await tx.update('import_rows', rowId, { state: 'skipped', ...reason, result: null })
  countRowState(tx, id, 'applied', 'skipped')
}

type Source = Record<string, unknown>

function takeResultBack(
  tx: LibraryTransaction,
  result: { merged: MergeResult } | { own: RestoredRecord } | CreatedBook,
  source: Source,
): Promise<boolean> {
  if ('merged' in result) return undoMerge(tx, result.merged)
  if ('own' in result)
    return undoExportedRecord(
      tx,
      result.own.collection ?? toExportedRecord(source).collection,
      result.own,
    )
  return removeBook(tx, result)
}

/** The records a row has created. */
interface CreatedBook {
  book: string
  updated: string
  readings: RecordVersion[]
  /** The book's records on further shelves. */
  copies?: RecordVersion[]
  quotes?: RecordVersion[]
}

/** @returns false if the reader has changed the book since, so that it stays */
async function removeBook(tx: LibraryTransaction, made: CreatedBook): Promise<boolean> {
  const { book, updated, readings, copies = [], quotes = [] } = made
  const books = [{ id: book, updated }, ...copies]
  if (!(await tx.find('user_books', book))) return true
  if (await haveChanged(tx, 'user_books', books)) return false
  if (await haveChanged(tx, 'readings', readings)) return false
  if (await haveChanged(tx, 'quotes', quotes)) return false
  await deleteAll(tx, 'user_books', books)
  await deleteAll(tx, 'readings', readings)
  await deleteAll(tx, 'quotes', quotes)
  return true
}

/** Removes a shelf created for the import, unless it has other books. */
async function removeShelf(tx: LibraryTransaction, shelf: string): Promise<void> {
  const left = await query(tx, sql`SELECT 1 FROM user_books WHERE shelf = ${shelf} LIMIT 1`)
  if (!left.length && (await tx.find('bookshelves', shelf))) await tx.delete('bookshelves', shelf)
}
