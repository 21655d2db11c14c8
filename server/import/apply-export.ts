import { sql } from 'kysely'
import {
  ApiError,
  letRequestsRun,
  throttle,
  type StoredRecord,
  type StoredUploads,
} from '#records/index.ts'
import { newSettings } from '#server/collections/schema.ts'
import { columnsOf, selectBy } from '#server/collections/select.ts'
import type { LibraryTransaction, Stored } from '#server/collections/stored.ts'
import type { Plan } from '#shared/plan.ts'
import { suppressActivities } from '#server/library/activities.ts'
import { requireShelfLimit } from '#server/library/bookshelves.ts'
import { query } from '#server/storage/query.ts'
import { noteProgress } from './claims.ts'
import { ImportError } from './import-error.ts'
import { ExportMapping, restoredRecords, type RestoredRecord } from './export-mapping.ts'
import { ExportedPictures } from './exported-pictures.ts'
import {
  pictureField,
  restoredFields,
  toExportedRecord,
  type ExportCollection,
  restoredValues,
} from './export-records.ts'
import { updatedOf } from './record-versions.ts'
import type { ImportDeps } from './read-import.ts'
import { because, noReason, refusedBecause, type StoredReason } from './reason.ts'
import { countRowState } from './row-counts.ts'

/** Rows per transaction. */
const batch = 10

type Deps = Pick<ImportDeps, 'database' | 'records' | 'storage' | 'folder' | 'signal'>

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
  /** The part that couldn't be imported. */
  reason?: StoredReason
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
  record: Stored<'imports'>,
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
  { id, user, options }: Stored<'imports'>,
  pictures: ExportedPictures | null,
  planDefault: Plan,
): Promise<boolean> {
  const { database, records } = deps
  const library = await ExportMapping.open(records, user, await restoredRecords(database, id))
  while (!deps.signal.aborted) {
    const some = await nextRows(deps, id)
    if (!some.length) return true
    const mapped = some.map(({ row, source }): MappedRow => {
      const { collection, values, old, picture } = toExportedRecord(source)
      return { row, collection, old, picture, ...library.place({ collection, values }, old) }
    })
    for (const one of mapped) if (pictures) await storePicture(deps, user, one, pictures)
    const write = (these: readonly MappedRow[]) =>
      records.write(async (tx) => {
        if ((await tx.find('imports', id))?.state !== 'applying') return
        suppressActivities(tx)
        for (const one of these) await apply(tx, { id, user }, one, planDefault)
        await noteProgress(tx, id)
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
    if ((await records.find('imports', id))?.state !== 'applying') return false
  }
  return false
}

/** The next rows of one collection. A shelf comes alone, as later rows need its new id. */
async function nextRows({ database }: Deps, id: string) {
  const rows = await query(
    database,
    sql`SELECT id, source FROM import_rows WHERE import = ${id} AND state = 'matched'
      ORDER BY number LIMIT ${sql.lit(batch)}`,
    columnsOf('import_rows', 'id', 'source'),
  )
  const all = rows.map(({ id, source }) => ({ row: id, source: source ?? {} }))
  const first = all[0]?.source['collection']
  const end = all.findIndex(({ source }) => source['collection'] !== first)
  if (first === 'bookshelves') return all.slice(0, 1)
  return end < 0 ? all : all.slice(0, end)
}

/** Stores the picture for a row's future record, before the transaction. */
async function storePicture(
  { database, records }: Deps,
  user: string,
  one: MappedRow,
  pictures: ExportedPictures,
): Promise<void> {
  const field = pictureField(one.collection)
  if (!field || !one.picture || one.isThere) return
  const file = await pictures.find(one.collection, one.old, one.picture)
  const id = one.collection === 'settings' ? (await settingsOf(database, { user }))[0]?.id : one.id
  if (!file || !id) return
  try {
    one.stored = await records.storeUploads(one.collection, id, {
      account: user,
      sent: { [field]: file },
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    one.reason = because('pictureUnused')
  }
}

const settingsOf = selectBy('settings', ['id'], ['user'])

/** Retries without the picture. @throws the cause if that can't help */
async function withoutPicture(
  one: MappedRow,
  cause: unknown,
  write: (these: readonly MappedRow[]) => Promise<void>,
): Promise<void> {
  if (!(cause instanceof ApiError) || !one.stored) throw cause
  one.stored = undefined
  one.reason = because('noRoomForPicture')
  await write([one])
}

async function apply(
  tx: LibraryTransaction,
  { id, user }: { id: string; user: string },
  one: MappedRow,
  planDefault: Plan,
): Promise<void> {
  await letRequestsRun()
  const row = await tx.find('import_rows', one.row)
  if (row?.state !== 'matched') return
  const there: RestoredRecord = { old: one.old, id: one.id, collection: one.collection }
  if (one.collection === 'settings') return settings(tx, { id, user }, one)
  if (one.isThere)
    return saveRowResult(tx, id, one.row, 'duplicate', because('alreadyThere'), { own: there })
  if (one.collection === 'bookshelves')
    await requireShelfLimit(tx, { ...one.values, user }, planDefault)
  const made = await tx.create(one.collection, { ...one.values, id: one.id, user }, one.stored)
  return saveRowResult(tx, id, one.row, 'applied', one.reason ?? noReason, {
    own: { ...there, stamp: stampOf(one.collection, made) },
  })
}

/** Restores settings that still have their default. Privacy is only ever turned on. */
async function settings(
  tx: LibraryTransaction,
  { id, user }: { id: string; user: string },
  one: MappedRow,
): Promise<void> {
  const [found] = await settingsOf(tx, { user })
  const now: StoredRecord | null = found ? await tx.find('settings', found.id) : null
  const defaults: Record<string, unknown> = newSettings
  const sent: Record<string, unknown> = { ...one.values, ...one.stored?.names }
  const picture = pictureField('settings') ?? ''
  const names = [...restoredFields('settings'), picture].filter(
    (name) => now && sent[name] && (!now[name] || now[name] === defaults[name]),
  )
  const values = Object.fromEntries(names.map((name) => [name, sent[name]]))
  const stored = names.includes(picture) ? one.stored : undefined
  const isNew = names.some((name) => JSON.stringify(now?.[name]) !== JSON.stringify(values[name]))
  if (!now || !isNew)
    return saveRowResult(tx, id, one.row, 'duplicate', because('alreadyThere'), {
      own: { old: one.old, id: now?.id ?? '' },
    })
  const before = Object.fromEntries(names.map((name) => [name, now[name]]))
  const after: StoredRecord = await tx.update('settings', now.id, values, stored)
  const stamp = JSON.stringify(names.map((name) => after[name]))
  const own = { old: one.old, id: now.id, collection: one.collection, before, stamp }
  return saveRowResult(tx, id, one.row, 'applied', noReason, { own })
}

/** A stamp that shows later whether the record has been changed. */
function stampOf(collection: ExportCollection, record: StoredRecord): string {
  const { updated, notes = '' } = record
  if (typeof updated === 'string' && typeof notes === 'string') return updatedOf({ updated, notes })
  return JSON.stringify(restoredValues(collection).map((name) => record[name]))
}

async function saveRowResult(
  tx: LibraryTransaction,
  id: string,
  row: string,
  state: 'applied' | 'duplicate' | 'invalid' | 'skipped',
  reason: StoredReason,
  result: { own: RestoredRecord } | null,
): Promise<void> {
  await tx.update('import_rows', row, { state, ...reason, result })
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
  const isFull = one.collection === 'bookshelves' && Object.keys(cause.data).length === 0
  if (isFull && !shelf) throw new ImportError('chooseShelfForRest', { sentence: cause.message })
  if (isFull && shelf) library.replace(one.old, shelf)
  await records.write((tx) =>
    isFull && shelf
      ? saveRowResult(tx, id, one.row, 'duplicate', because('noRoomForShelf'), {
          own: { old: one.old, id: shelf },
        })
      : saveRowResult(tx, id, one.row, 'invalid', refusedBecause(cause), null),
  )
}

/**
 * Undoes a record restored from our own export.
 *
 * @returns false if the reader has changed it since, so that it stays
 */
export async function undoExportedRecord(
  tx: LibraryTransaction,
  collection: ExportCollection,
  { id, stamp, before }: RestoredRecord,
): Promise<boolean> {
  const record: StoredRecord | null = await tx.find(collection, id)
  if (!record) return true
  if (before) {
    const names = Object.keys(before)
    if (JSON.stringify(names.map((name) => record[name])) !== stamp) return false
    await tx.update(collection, id, before)
    return true
  }
  if (stampOf(collection, record) !== stamp) return false
  if (collection === 'bookshelves') {
    const [book] = await query(tx, sql`SELECT 1 FROM user_books WHERE shelf = ${id} LIMIT 1`)
    if (book) return false
  }
  await tx.delete(collection, id)
  return true
}
