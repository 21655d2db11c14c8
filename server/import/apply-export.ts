import { sql } from 'kysely'
import {
  ApiError,
  type Database,
  type StoredRecord,
  type StoredUploads,
  type WriteTransaction,
} from '#records/index.ts'
import type { ImportRecord } from '#shared/import.ts'
import type { Plan } from '#shared/plan.ts'
import { suppressActivities } from '#server/library/activities.ts'
import { requireShelfLimit } from '#server/library/bookshelves.ts'
import { sharedFields } from '#server/library/shared-state.ts'
import { query } from '#server/query.ts'
import { ImportError } from './import-error.ts'
import { ExportMapping, restoredRecords, type RestoredRecord } from './export-mapping.ts'
import { ExportedPictures } from './exported-pictures.ts'
import { bookKeyOf, exportFields, pictureFields, type ExportCollection } from './export-records.ts'
import type { ImportDeps } from './read-import.ts'
import { countRowState } from './row-counts.ts'
import { letRequestsRun, throttle } from './throttle.ts'

/** Rows per transaction. */
const batch = 10

type Deps = Pick<ImportDeps, 'database' | 'records' | 'storage' | 'folder' | 'isOver'>

/** A row with its place in the library. */
interface MappedRow {
  row: string
  old: string
  collection: ExportCollection
  id: string
  isThere: boolean
  values: Record<string, unknown>
  /** Its picture's file name in the export; '' for none. */
  picture: string
  stored?: StoredUploads | undefined
  /** The part that couldn't be imported, as a sentence for the reader. */
  reason?: string
}

/**
 * Restores the records of our own export, in the order in which they depend on each other. A row
 * and its record are written together, so that the import can continue after a crash.
 *
 * @returns whether all rows are done
 * @throws ImportError if the reader's plan allows no further shelf
 */
export async function applyExport(
  deps: Deps,
  record: ImportRecord,
  planDefault: Plan,
): Promise<boolean> {
  const pictures = await ExportedPictures.open(deps, record)
  try {
    return await applyAll(deps, record, pictures, planDefault)
  } finally {
    await pictures?.close()
  }
}

async function applyAll(
  deps: Deps,
  { id, user, options }: ImportRecord,
  pictures: ExportedPictures | null,
  planDefault: Plan,
): Promise<boolean> {
  const { database, records } = deps
  const library = await ExportMapping.open(records, user, await restoredRecords(database, id))
  while (!deps.isOver?.()) {
    const some = await nextRows(deps, id)
    if (!some.length) return true
    const mapped = some.map(({ row, source }): MappedRow => {
      const { collection, values, old, picture } = toExportedRecord(source)
      return { row, collection, old, picture, ...library.place({ collection, values }, old) }
    })
    for (const one of mapped) if (pictures) await storePicture(deps, user, one, pictures)
    const write = (these: readonly MappedRow[]) =>
      records.write(async (tx) => {
        if ((await tx.find('imports', id))?.['state'] !== 'applying') return
        suppressActivities(tx)
        for (const one of these) await apply(tx, { id, user }, one, planDefault)
      })
    try {
      await throttle(() => write(mapped))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // One of them was refused. Write them one by one, so that the rest are restored.
      for (const one of mapped)
        await write([one])
          .catch((cause: unknown) => withoutPicture(one, cause, write))
          .catch((cause: unknown) => refused(deps, id, one, cause, options?.shelf, library))
    }
    if ((await records.find('imports', id))?.['state'] !== 'applying') return false
  }
  return false
}

/** The next rows of one collection. A shelf comes alone, as later rows need its new id. */
async function nextRows({ database }: Deps, id: string) {
  const rows = await query(
    database,
    sql`SELECT id, source FROM import_rows WHERE import = ${id} AND state = 'matched'
      ORDER BY number LIMIT ${sql.lit(batch)}`,
  )
  const all = rows.map(([row, source]) => ({
    row: String(row),
    source: JSON.parse(String(source)) as Record<string, unknown>,
  }))
  const first = all[0]?.source['collection']
  const end = all.findIndex(({ source }) => source['collection'] !== first)
  if (first === 'bookshelves') return all.slice(0, 1)
  return end < 0 ? all : all.slice(0, end)
}

/** @returns the record stored in a row's source */
export function toExportedRecord(source: Record<string, unknown>) {
  const { collection, id, picture = '', ...values } = source
  return {
    collection: collection as ExportCollection,
    values,
    old: String(id),
    picture: String(picture),
  }
}

/** Stores the picture for a row's future record, before the transaction. */
async function storePicture(
  { database, records }: Deps,
  user: string,
  one: MappedRow,
  pictures: ExportedPictures,
): Promise<void> {
  const field = pictureFields[one.collection]
  if (!field || !one.picture || one.isThere) return
  const file = await pictures.find(one.collection, one.old, one.picture)
  const id = one.collection === 'settings' ? await settingsOf(database, user) : one.id
  if (!file || !id) return
  try {
    one.stored = await records.storeUploads(one.collection, id, {
      account: user,
      sent: { [field]: file },
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    one.reason = 'Its picture couldn’t be used.'
  }
}

async function settingsOf(database: Database | WriteTransaction, user: string): Promise<string> {
  const [row] = await query(database, sql`SELECT id FROM settings WHERE "user" = ${user}`)
  return String(row?.[0] ?? '')
}

/** Retries without the picture. @throws the cause if that can't help */
async function withoutPicture(
  one: MappedRow,
  cause: unknown,
  write: (these: readonly MappedRow[]) => Promise<void>,
): Promise<void> {
  if (!(cause instanceof ApiError) || !one.stored) throw cause
  one.stored = undefined
  one.reason = 'There was no room for its picture.'
  await write([one])
}

async function apply(
  tx: WriteTransaction,
  { id, user }: { id: string; user: string },
  one: MappedRow,
  planDefault: Plan,
): Promise<void> {
  await letRequestsRun()
  const row = await tx.find('import_rows', one.row)
  if (row?.['state'] !== 'matched') return
  const there: RestoredRecord = { old: one.old, id: one.id }
  if (one.collection === 'settings') return settings(tx, { id, user }, one)
  if (one.isThere)
    return settle(tx, id, one.row, 'duplicate', 'You already have this.', { own: there })
  if (one.collection === 'bookshelves') await requireShelfLimit(tx, user, planDefault)
  const values = one.collection === 'user_books' ? await withState(tx, user, one) : one.values
  const made = await tx.create(one.collection, { ...values, id: one.id, user }, one.stored)
  return settle(tx, id, one.row, 'applied', one.reason ?? '', {
    own: { ...there, stamp: stampOf(made) },
  })
}

/** Copies the state of the same book on another shelf, so that the reader's own entries win. */
async function withState(tx: WriteTransaction, user: string, { values }: MappedRow) {
  const [row] = await query(
    tx,
    sql`SELECT id FROM user_books WHERE "user" = ${user} AND book_key = ${bookKeyOf(values)}
      ORDER BY updated DESC, id LIMIT 1`,
  )
  const copy = row && (await tx.find('user_books', String(row[0])))
  if (!copy) return values
  const state = Object.fromEntries(sharedFields.map((name) => [name, copy[name]]))
  const pages = Number(values['page_count'])
  const isBeyond = pages > 0 && Number(state['progress']) > pages
  return { ...values, ...state, ...(isBeyond && { progress: pages }) }
}

/** Restores settings that still have their default. Privacy is only ever turned on. */
async function settings(
  tx: WriteTransaction,
  { id, user }: { id: string; user: string },
  one: MappedRow,
): Promise<void> {
  const found = await settingsOf(tx, user)
  const now = found ? await tx.find('settings', found) : null
  const born: Record<string, unknown> = { default_add_status: 'reading', isPrivate: false }
  const sent: Record<string, unknown> = { ...one.values, ...one.stored?.names }
  const names = [...exportFields.settings, pictureFields.settings!].filter(
    (name) => now && sent[name] && (!now[name] || now[name] === born[name]),
  )
  const values = Object.fromEntries(names.map((name) => [name, sent[name]]))
  const stored = names.includes(pictureFields.settings!) ? one.stored : undefined
  const isNew = names.some((name) => JSON.stringify(now?.[name]) !== JSON.stringify(values[name]))
  if (!now || !isNew)
    return settle(tx, id, one.row, 'duplicate', 'You already have this.', {
      own: { old: one.old, id: now?.id ?? '' },
    })
  const before = Object.fromEntries(names.map((name) => [name, now[name]]))
  const after = await tx.update('settings', now.id, values, stored)
  const stamp = JSON.stringify(names.map((name) => after[name]))
  const own = { old: one.old, id: now.id, before, stamp }
  return settle(tx, id, one.row, 'applied', '', { own })
}

/** A stamp that shows later whether the record has been changed. */
function stampOf(record: StoredRecord): string {
  const { updated, at, to, minutes } = record
  return typeof updated === 'string' ? updated : JSON.stringify([at, to, minutes])
}

async function settle(
  tx: WriteTransaction,
  id: string,
  row: string,
  state: 'applied' | 'duplicate' | 'invalid' | 'skipped',
  reason: string,
  result: { own: RestoredRecord } | null,
): Promise<void> {
  await tx.update('import_rows', row, { state, reason, result })
  countRowState(tx, id, 'matched', state)
}

async function refused(
  { records }: Deps,
  id: string,
  one: MappedRow,
  cause: unknown,
  shelf: string | undefined,
  library: ExportMapping,
): Promise<void> {
  if (!(cause instanceof ApiError)) throw cause
  const [field] = Object.values(cause.data)
  const said = field?.['message']
  const isFull = one.collection === 'bookshelves' && typeof said !== 'string'
  if (isFull && !shelf)
    throw new ImportError(`${cause.message} Choose a shelf for the remaining books.`)
  if (isFull && shelf) library.replace(one.old, shelf)
  const reason = typeof said === 'string' ? said : cause.message
  await records.write((tx) =>
    isFull && shelf
      ? settle(tx, id, one.row, 'duplicate', 'There is no room for this shelf.', {
          own: { old: one.old, id: shelf },
        })
      : settle(tx, id, one.row, 'invalid', reason, null),
  )
}

/**
 * Undoes a record restored from our own export.
 *
 * @returns false if the reader has changed it since, so that it stays
 */
export async function undoExportedRecord(
  tx: WriteTransaction,
  collection: ExportCollection,
  { id, stamp, before }: RestoredRecord,
): Promise<boolean> {
  const record = await tx.find(collection, id)
  if (!record) return true
  if (before) {
    const names = Object.keys(before)
    if (JSON.stringify(names.map((name) => record[name])) !== stamp) return false
    await tx.update(collection, id, before)
    return true
  }
  if (stampOf(record) !== stamp) return false
  if (collection === 'bookshelves') {
    const [book] = await query(tx, sql`SELECT 1 FROM user_books WHERE shelf = ${id} LIMIT 1`)
    if (book) return false
  }
  await tx.delete(collection, id)
  return true
}
