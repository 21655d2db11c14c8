import { sql } from 'kysely'
import { prepared, type Hooks, type StoredRecord, type WriteTransaction } from '#records/index.ts'
import type { Activity, ActivityEvent } from '#shared/activity.ts'
import { bookSlug } from '#shared/book.ts'
import { toIsbn13 } from '#shared/isbn.ts'
import { isByPercent } from '#shared/reading-position.ts'
import type { UserBook } from '#shared/user-book.ts'
import { modify } from '#server/query.ts'
import { countNewEntry, recountEntries } from './activity-limit.ts'
import { coverOf } from './cover.ts'
import { lockShelf } from './locked-shelf.ts'

/** Milliseconds in which page updates share one timeline entry and a status can be undone. */
const oneSitting = 10 * 60 * 1000

/**
 * Writes the timeline entries of a change to a book: a new status, and a new page unless the status
 * implies it.
 *
 * @param before the book before the change, null when it is new on the shelf
 * @param isUndo whether the change takes back the one before it, whose entry is deleted
 */
export async function recordActivity(
  tx: WriteTransaction,
  before: UserBook | null,
  after: UserBook,
  { now, isUndo }: { now: Date; isUndo: boolean },
): Promise<void> {
  const restated = before?.status !== after.status
  if (isUndo && before && restated && (await takeBack(tx, before, now))) return
  if (restated) await add(tx, after.status, after)
  if (!before || !isFurther(before, after)) return
  if (restated && after.status === 'completed') return
  const sitting = await currentSitting(tx, after, now)
  // The next page counts from this update, not from the first.
  const created = now.toISOString().replace('T', ' ')
  if (sitting) await tx.update('activities', sitting, { created, data: await snapshot(tx, after) })
  else await add(tx, 'progress_updated', after)
}

const suppression = () => ({ isOn: false })

/**
 * Suppresses timeline entries and readings for books that this transaction adds: they were read
 * elsewhere, and the caller writes their dates.
 */
export function suppressActivities(tx: WriteTransaction): void {
  tx.state(suppression).isOn = true
}

/** @returns whether timeline entries and readings are suppressed */
export function hasSuppressedActivities(tx: WriteTransaction): boolean {
  return tx.state(suppression).isOn
}

/** Hooks of the timeline: keep names in entries current and count the entries that a plan shows. */
export const activityHooks: Hooks = {
  async prepare({ action, after }, tx) {
    // Update the names, as the old ones may have been private.
    if (action === 'restore' && after) after.data = await renamed(tx, after)
  },

  async applied({ action, before, after }, tx) {
    const [entry, was] = [after, before] as unknown as [Activity | null, Activity | null]
    if (action === 'create') return countNewEntry(tx, null, entry!)
    const isAsShown = entry && was && entry.isPrivate === was.isPrivate
    if (isAsShown && entry.created === was.created) return
    if (isAsShown && entry.created > was.created) return countNewEntry(tx, was, entry)
    recountEntries(tx, String((after ?? before)?.user))
  },
}

async function renamed(tx: WriteTransaction, entry: StoredRecord): Promise<Activity['data']> {
  const data = entry.data as Activity['data']
  const shelf = await tx.find('bookshelves', String(entry.shelf))
  const book = await tx.find('user_books', String(entry.book))
  return {
    ...data,
    ...(shelf && { shelf: String(shelf.name) }),
    ...(book && { title: String(book.title) }),
  }
}

async function add(tx: WriteTransaction, event_type: ActivityEvent, book: UserBook) {
  await tx.create('activities', {
    event_type,
    user: book.user,
    book: book.id,
    shelf: book.shelf,
    data: await snapshot(tx, book),
  })
}

/**
 * Deletes the timeline entry of an undone status.
 *
 * @param mistaken the book with the undone status
 * @returns whether the book's latest entry was such an entry and recent enough
 */
async function takeBack(tx: WriteTransaction, mistaken: UserBook, now: Date): Promise<boolean> {
  const [latest] = await newest(tx, { book: mistaken.id })
  const [id, event, created] = latest ?? []
  if (event !== mistaken.status || String(created) < since(now)) return false
  // Its reader may just have deleted it.
  if (!(await tx.find('activities', String(id)))) return false
  await tx.delete('activities', String(id))
  return true
}

/** @returns the book's latest entry, if it is a recent page entry that can be extended */
async function currentSitting(tx: WriteTransaction, book: UserBook, now: Date) {
  const [latest] = await newest(tx, { book: book.id })
  const [id, event, created, shelf] = latest ?? []
  const isYoung = String(created) >= since(now)
  return event === 'progress_updated' && isYoung && shelf === book.shelf ? String(id) : undefined
}

/** @returns the earliest time of an entry in the same sitting */
function since(now: Date): string {
  return new Date(now.getTime() - oneSitting).toISOString().replace('T', ' ')
}

const newest = prepared<{ book: string }>(
  (value) => sql`SELECT id, event_type, created, shelf FROM activities
    WHERE book = ${value('book')} ORDER BY created DESC, id DESC LIMIT 1`,
)

/**
 * Whether the reader is on another page, or percentage for a book without page numbers. Corrections
 * of the page count don't count: a finished book stays finished, and a percentage stays the same.
 */
function isFurther(before: UserBook, after: UserBook): boolean {
  const isLengthMended = before.page_count !== after.page_count
  const isSameShare =
    after.progress_percent > 0 && before.progress_percent === after.progress_percent
  const isRead = before.status === 'completed' && after.status === 'completed'
  if (isLengthMended && (isSameShare || isRead)) return false
  if (before.progress !== after.progress) return after.progress > 0
  return before.progress_percent !== after.progress_percent && isByPercent(after)
}

/** A snapshot of the names, readable after the book and shelf are deleted. */
async function snapshot(tx: WriteTransaction, book: UserBook): Promise<Activity['data']> {
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
  tx: WriteTransaction,
  of: { shelf: string } | { book: string },
  key: 'shelf' | 'title',
  name: string,
): Promise<void> {
  const [[column, id]] = Object.entries(of) as [[string, string]]
  const data =
    tx.dialect.name === 'sqlite'
      ? sql`json_set(data, ${`$.${key}`}, ${name})`
      : sql`jsonb_set(data::jsonb, ${`{${key}}`}::text[], to_jsonb(${name}::text))::text`
  await modify(
    tx,
    'activities',
    sql`UPDATE activities SET data = ${data} WHERE ${sql.ref(column)} = ${id}`,
  )
}
