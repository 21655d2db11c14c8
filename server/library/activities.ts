import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { formatDate, named, perTransaction, prepared, text } from '#records/index.ts'
import type { LibraryHooks, LibraryTransaction, Stored } from '#server/collections/stored.ts'
import type { Activity, ActivityEvent } from '#shared/activity.ts'
import { bookSlug } from '#shared/book.ts'
import { toIsbn13 } from '#shared/isbn.ts'
import { isByPercent } from '#shared/reading-position.ts'
import { modify, query } from '#server/storage/query.ts'
import { countNewEntry, recountEntries } from './activity-limit.ts'
import { coverOf } from './cover.ts'
import { lockShelf } from './locked-shelf.ts'
import { createdWith, sittingOf, type Moment } from './moment.ts'

/**
 * Writes the timeline entries of a change to a book: a new status, and a new page unless the status
 * implies it.
 *
 * @param before the book before the change, null when it is new on the shelf
 * @param how.isUndo whether the change takes back the one before it, whose entry is deleted
 * @param how.isLate whether it was sent later than it was made
 */
export async function recordActivity(
  tx: LibraryTransaction,
  before: Stored<'user_books'> | null,
  after: Stored<'user_books'>,
  { moment, isUndo, isLate }: { moment: Moment; isUndo: boolean; isLate: boolean },
): Promise<void> {
  const restated = before?.status !== after.status
  if (isUndo && before && restated && (await takeBack(tx, before, moment))) return
  const at = formatDate(moment.made)
  if (restated && after.status) await add(tx, after.status, after, isLate ? at : '')
  if (!before || !progressChanged(before, after)) return
  if (restated && after.status === 'completed') return
  const sitting = await currentSitting(tx, after, moment)
  // The next page counts from this update, not from the first.
  if (sitting)
    await tx.update('activities', sitting, { created: at, data: await snapshot(tx, after) })
  else await add(tx, 'progress_updated', after, isLate ? at : '')
}

const suppression = perTransaction(() => ({ isOn: false }))

/**
 * Suppresses timeline entries and readings for books that this transaction adds: they were read
 * elsewhere, and the caller writes their dates.
 */
export function suppressActivities(tx: LibraryTransaction): void {
  suppression(tx).isOn = true
}

/** @returns whether timeline entries and readings are suppressed */
export function hasSuppressedActivities(tx: LibraryTransaction): boolean {
  return suppression(tx).isOn
}

/** Hooks of the timeline: keep names in entries current and count the entries that a plan shows. */
export const activityHooks: LibraryHooks<'activities'> = {
  async prepare({ action, after }, tx) {
    // Update the names, as the old ones may have been private.
    if (action === 'restore' && after) after.data = await renamed(tx, after)
  },

  async applied({ action, before, after }, tx) {
    if (action === 'create' && after) return countNewEntry(tx, null, after)
    const isAsShown = after && before && after.isPrivate === before.isPrivate
    if (isAsShown && after.created === before.created) return
    if (isAsShown && after.created > before.created) return countNewEntry(tx, before, after)
    const entry = after ?? before
    if (entry) recountEntries(tx, entry.user)
  },
}

async function renamed(
  tx: LibraryTransaction,
  entry: Stored<'activities'>,
): Promise<Activity['data']> {
  const shelf = await tx.find('bookshelves', entry.shelf)
  const book = await tx.find('user_books', entry.book)
  return {
    ...entry.data,
    ...(shelf && { shelf: shelf.name }),
    ...(book && { title: book.title }),
  }
}

/** @param created '' for now */
async function add(
  tx: LibraryTransaction,
  event_type: ActivityEvent,
  book: Stored<'user_books'>,
  created: string,
) {
  await createdWith(tx, 'activities', {
    event_type,
    user: book.user,
    book: book.id,
    shelf: book.shelf,
    data: await snapshot(tx, book),
    created,
  })
}

/**
 * Deletes the timeline entry of an undone status.
 *
 * @param mistaken the book with the undone status
 * @returns whether the book's latest entry was such an entry and recent enough
 */
async function takeBack(
  tx: LibraryTransaction,
  mistaken: Stored<'user_books'>,
  moment: Moment,
): Promise<boolean> {
  const latest = await newestEntry(tx, mistaken, moment)
  if (latest?.event !== mistaken.status) return false
  // Its reader may just have deleted it.
  if (!(await tx.find('activities', latest.id))) return false
  await tx.delete('activities', latest.id)
  return true
}

/** @returns the book's latest entry of the sitting, if it is a page entry that can be extended */
async function currentSitting(
  tx: LibraryTransaction,
  book: Stored<'user_books'>,
  moment: Moment,
): Promise<string | undefined> {
  const latest = await newestEntry(tx, book, moment)
  if (latest?.event !== 'progress_updated') return undefined
  return latest.shelf === book.shelf ? latest.id : undefined
}

/** @returns the book's latest entry of the same sitting */
async function newestEntry(tx: LibraryTransaction, book: { id: string }, moment: Moment) {
  const rows = await newest(tx, { book: book.id, ...sittingOf(moment) })
  return named(rows, { id: text, event: text, shelf: text })[0]
}

const newest = prepared<Record<'book' | 'from' | 'to', string>>(
  (value) => sql`SELECT id, event_type, shelf FROM activities
    WHERE book = ${value('book')} AND created BETWEEN ${value('from')} AND ${value('to')}
    ORDER BY created DESC, id DESC LIMIT 1`,
)

/**
 * Whether the reader is on another page, or percentage for a book without page numbers. Corrections
 * of the page count don't count: a finished book stays finished, and a percentage stays the same.
 */
function progressChanged(before: Stored<'user_books'>, after: Stored<'user_books'>): boolean {
  const isLengthMended = before.page_count !== after.page_count
  const isSameShare =
    after.progress_percent > 0 && before.progress_percent === after.progress_percent
  const isRead = before.status === 'completed' && after.status === 'completed'
  if (isLengthMended && (isSameShare || isRead)) return false
  if (before.progress !== after.progress) return after.progress > 0
  return before.progress_percent !== after.progress_percent && isByPercent(after)
}

/** A snapshot of the names, readable after the book and shelf are deleted. */
async function snapshot(
  tx: LibraryTransaction,
  book: Stored<'user_books'>,
): Promise<Activity['data']> {
  const shelf = await lockShelf(tx, book.shelf)
  return {
    progress: book.progress,
    ...(isByPercent(book) && { percent: book.progress_percent }),
    title: book.title,
    shelf: shelf?.name ?? '',
    isbn: book.isbn,
    // Without an ISBN the catalogue has no page for it.
    slug: book.isbn ? bookSlug(book.title, toIsbn13(book.isbn) ?? undefined) : '',
    cover: coverOf(book),
    authors: book.authors,
  }
}

/**
 * Updates a changed name in the timeline, as the old one may have been private.
 *
 * @param key the field of the snapshots to update
 */
export async function renameInActivities(
  tx: LibraryTransaction,
  of: { shelf: string } | { book: string },
  key: 'shelf' | 'title',
  name: string,
): Promise<void> {
  const [[column, id]] = Object.entries(of) as [[string, string]]
  const data =
    tx.dialect.name === 'sqlite'
      ? sql`json_set(data, ${`$.${key}`}, ${name})`
      : sql`jsonb_set(data::jsonb, ${`{${key}}`}::text[], to_jsonb(${name}::text))::text`
  const entries = await query(tx, sql`SELECT id FROM activities WHERE ${sql.ref(column)} = ${id}`)
  for (let at = 0; at < entries.length; at += renamedAtOnce) {
    // SQLite calls are synchronous: let other requests run.
    if (at) await setImmediate()
    const some = entries.slice(at, at + renamedAtOnce).flat()
    await modify(
      tx,
      'activities',
      sql`UPDATE activities SET data = ${data} WHERE id IN (${sql.join(some)})`,
    )
  }
}

/** Entries updated in one statement. */
const renamedAtOnce = 500
