import { sql } from 'kysely'
import { ApiError, type StoredRecord, type WriteTransaction } from '#records/index.ts'
import type { ImportCandidate, ImportedBook, ImportRecord, ImportRow } from '#shared/import.ts'
import type { Plan } from '#shared/plan.ts'
import { bookKey, type Status } from '#shared/user-book.ts'
import { suppressActivities } from '#server/library/activities.ts'
import { requireShelfLimit } from '#server/library/bookshelves.ts'
import { query, textList } from '#server/query.ts'
import { applyOwn } from './apply-own.ts'
import { giveWay } from './give-way.ts'
import { isSameWork } from './match.ts'
import type { ImportDeps } from './read-import.ts'
import { alreadyOwned, mergeIntoOwned, stamped, type Stamped } from './merge-owned.ts'
import { readingsOf } from './readings-of.ts'
import { tagsOf } from './tags-of.ts'

/** Rows of one transaction: others wait for no more than these. */
const batch = 5

/** Where the books go, and what those are that the file says nothing of. */
interface Target {
  user: string
  shelf: string
  status: Status
}

/**
 * Puts the rows of an import onto its shelf, some at a time. A row's state and its book are written
 * in one transaction: whenever this ends, it can go on, and no row comes twice.
 *
 * @param planDefault the plan of everyone without a subscription
 */
export async function applyImport(
  deps: Pick<ImportDeps, 'database' | 'records' | 'storage' | 'folder' | 'isOver'>,
  { id }: Pick<ImportRecord, 'id'>,
  planDefault: Plan,
): Promise<void> {
  const { database, records } = deps
  while (!deps.isOver?.()) {
    const start = performance.now()
    const record = (await records.find('imports', id)) as unknown as ImportRecord | null
    if (record?.state !== 'applying') return
    if (record.format === 'octavo' && !(await applyOwn(deps, record, planDefault))) return
    const states = record.options?.unmatched === 'skip' ? ['matched'] : ['matched', 'unmatched']
    const rows = await query(
      database,
      sql`SELECT id FROM import_rows WHERE import = ${id} AND state IN (${sql.join(states)})
        ORDER BY number LIMIT ${sql.lit(batch)}`,
    )
    const ids = rows.map(([row]) => String(row))
    if (!ids.length) return (await mergeDuplicates(deps, id)) ? finish(deps, id) : undefined
    try {
      await applyRows(deps, id, ids, planDefault)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // One of them is refused: the others shouldn't be.
      for (const one of ids) await applyOne(deps, id, one, planDefault)
    }
    await giveWay(start)
  }
}

async function applyOne(
  deps: Pick<ImportDeps, 'records'>,
  id: string,
  row: string,
  planDefault: Plan,
): Promise<void> {
  try {
    await applyRows(deps, id, [row], planDefault)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const [field] = Object.values(error.data)
    const said = field?.['message']
    const reason = typeof said === 'string' ? said : error.message
    await deps.records.write(async (tx) => {
      const found = await tx.find('import_rows', row)
      if (found) await settle(tx, id, found, { state: 'invalid', reason })
    })
  }
}

async function applyRows(
  { records }: Pick<ImportDeps, 'records'>,
  id: string,
  rows: readonly string[],
  planDefault: Plan,
): Promise<void> {
  await records.write(async (tx) => {
    const record = (await tx.find('imports', id)) as unknown as ImportRecord | null
    if (record?.state !== 'applying') return
    const target = await targetOf(tx, record, planDefault)
    if (!target) return
    suppressActivities(tx)
    for (const one of rows) {
      const row = await tx.find('import_rows', one)
      if (row?.['state'] === 'matched' || row?.['state'] === 'unmatched')
        await applyRow(tx, id, row, target)
    }
  })
}

async function applyRow(tx: WriteTransaction, id: string, stored: StoredRecord, target: Target) {
  const row = stored as unknown as ImportRow
  const chosen = row.book?.isOwned ? await tx.find('user_books', row.book.id) : null
  if (chosen?.['user'] === target.user) return settleOwned(tx, id, stored, chosen.id)
  const book = toUserBook(row.read!, row.book, target)
  if (!book.title)
    return settle(tx, id, stored, {
      state: 'skipped',
      reason: 'Neither the file nor our catalogue has a title for it.',
    })
  let owned = await ownedBook(tx, target.user, book)
  if (owned && !isSameWork(book, owned)) {
    // Two books can't have one ISBN; that of the first was there before.
    book.isbn = ''
    owned = await ownedBook(tx, target.user, book)
  }
  if (owned) return settleOwned(tx, id, stored, owned.id)
  const made = await tx.create('user_books', book)
  const readings: Stamped[] = []
  for (const reading of readingsOf(row.read!, book.status)) {
    const { user } = target
    const values = { ...reading, user, book_key: made['book_key'], source: 'import' }
    readings.push(stamped(await tx.create('readings', values)))
  }
  const result = { book: made.id, updated: made['updated'], readings }
  return settle(tx, id, stored, { state: 'applied', reason: row.reason, result })
}

async function settle(
  tx: WriteTransaction,
  id: string,
  row: StoredRecord,
  values: { state: string; reason: string; result?: object },
): Promise<void> {
  await tx.update('import_rows', row.id, values)
  await tx.update('imports', id, { [`${String(row['state'])}-`]: 1, [`${values.state}+`]: 1 })
}

/** What the reader says about it comes from the file, what the book is from the catalogue. */
export function toUserBook(
  read: ImportedBook,
  found: ImportCandidate | null,
  { user, shelf, status }: Target,
) {
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
    status: read.status || status,
    tags: tagsOf(read),
    notes: read.notes,
    review: read.review,
    review_spoilers: read.spoilers,
    format: read.format,
    // A day is as much as the source knows; noon is that day almost everywhere.
    ...(read.added.length === 10 && { created: `${read.added} 12:00:00.000Z` }),
  }
}

/** @returns a record of the reader's with the same key, if there is one */
async function ownedBook(
  tx: WriteTransaction,
  user: string,
  book: { isbn: string; title: string; authors: string[] },
) {
  const key = bookKey(book)
  const [row] = await query(
    tx,
    sql`SELECT id, title, authors FROM user_books WHERE book_key = ${key} AND "user" = ${user} LIMIT 1`,
  )
  if (!row) return null
  const [id, title, authors] = row.map(String) as [string, string, string]
  return { id, title, authors: textList(authors) }
}

/** A book that was there before gets what it lacks. */
async function settleOwned(tx: WriteTransaction, id: string, stored: StoredRecord, owned: string) {
  const { read } = stored as unknown as ImportRow
  const merged = read && (await mergeIntoOwned(tx, owned, read))
  if (merged)
    return settle(tx, id, stored, {
      state: 'applied',
      reason: 'You had this book. It was given what it lacked.',
      result: { merged },
    })
  if (stored['state'] !== 'duplicate')
    await settle(tx, id, stored, { state: 'duplicate', reason: alreadyOwned })
}

/**
 * Gives the books that the reader had before what rows say beyond it, some at a time.
 *
 * @returns whether it came to the end
 */
async function mergeDuplicates(
  deps: Pick<ImportDeps, 'database' | 'records' | 'isOver'>,
  id: string,
): Promise<boolean> {
  const { database, records } = deps
  let last = 0
  while (!deps.isOver?.()) {
    const start = performance.now()
    const rows = await query(
      database,
      sql`SELECT id, number FROM import_rows WHERE import = ${id} AND state = 'duplicate'
        AND number > ${last} ORDER BY number LIMIT ${sql.lit(batch)}`,
    )
    if (!rows.length) return true
    await records.write(async (tx) => {
      if ((await tx.find('imports', id))?.['state'] !== 'applying') return
      suppressActivities(tx)
      for (const [one] of rows) {
        const row = await tx.find('import_rows', String(one))
        const owned = (row?.['result'] as { owned?: string } | null)?.owned
        if (row?.['state'] === 'duplicate' && owned) await settleOwned(tx, id, row, owned)
      }
    })
    last = Number(rows.at(-1)![1])
    await giveWay(start)
  }
  return false
}

/** @returns null where there is no room for a shelf: then the import waits, and says why */
async function targetOf(
  tx: WriteTransaction,
  { id, user, options }: ImportRecord,
  planDefault: Plan,
): Promise<Target | null> {
  const settings = await query(
    tx,
    sql`SELECT default_add_status FROM settings WHERE "user" = ${user}`,
  )
  const status = (settings[0]?.[0] || 'reading') as Status
  const chosen = options?.shelf ? await tx.find('bookshelves', options.shelf) : null
  if (chosen?.['user'] === user) return { user, shelf: chosen.id, status }
  try {
    await requireShelfLimit(tx, user, planDefault)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const advice = 'Choose a shelf that you have.'
    await tx.update('imports', id, { state: 'waiting', error: `${error.message} ${advice}` })
    return null
  }
  const name = options?.shelf_name || 'Imported books'
  const made = await tx.create('bookshelves', { user, name, visibility: 'private' })
  await tx.update('imports', id, { made: made.id, options: { ...options, shelf: made.id } })
  return { user, shelf: made.id, status }
}

async function finish({ records }: Pick<ImportDeps, 'records'>, id: string): Promise<void> {
  await records.write(async (tx) => {
    const now = await tx.find('imports', id)
    if (now?.['state'] === 'applying') await tx.update('imports', id, { state: 'done' })
  })
}
