import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { prepared, type Change, type StoredRecord, type WriteTransaction } from '#records/index.ts'
import type { UserBook } from '#shared/user-book.ts'

/** Copies written at a time, so that other requests get their turn. */
const atOnce = 50

/** A reader's position in a book; these fields change together. */
const progressFields = ['status', 'progress', 'progress_percent', 'progress_minutes'] as const

/** The fields that are the same on all of a book's shelves. */
export const sharedFields = [
  ...progressFields,
  ...(['rating', 'tags', 'notes', 'review', 'review_spoilers', 'format', 'isPrivate'] as const),
]

/** Records that a transaction writes only because another copy was written. */
const copyUpdates = () => new Set<string>()

/** @returns whether the record is written because another copy of its book was */
export function isCopyUpdate(tx: WriteTransaction, id: string): boolean {
  return tx.state(copyUpdates).has(id)
}

/** @returns the ids and shelves of a reader's other records of the same book, last changed first */
export async function copiesOf(
  tx: WriteTransaction,
  { id, user, book_key }: StoredRecord,
): Promise<{ id: string; shelf: string }[]> {
  const rows = await copies(tx, { id, user, book_key })
  return rows.map(([copy, shelf]) => ({ id: String(copy), shelf: String(shelf) }))
}

const copies = prepared<Record<'id' | 'user' | 'book_key', unknown>>(
  (value) => sql`SELECT id, shelf FROM user_books
    WHERE "user" = ${value('user')} AND book_key = ${value('book_key')} AND id <> ${value('id')}
    ORDER BY updated DESC, id`,
)

/**
 * Fills a record from another copy of the book: a new copy takes over all state that the request
 * doesn't set, and a restored one takes over everything. The reader's default status doesn't count
 * as set.
 *
 * @param copy another record of the book
 */
export async function fillFromCopy(
  tx: WriteTransaction,
  { action, after, request }: Change,
  copy: string,
): Promise<void> {
  const known = await tx.find('user_books', copy)
  if (!known || !after) return
  const isAll = action === 'restore'
  const isDefault = async () => {
    if (after.status === '' || after.status === known.status) return true
    return request !== null && after.status === (await defaultStatus(tx, String(after.user)))
  }
  const hasNoProgress = progressFields.every((name) => name === 'status' || !after[name])
  if (isAll || (hasNoProgress && (await isDefault()))) take(after, known, progressFields)
  const rest = sharedFields.filter((name) => !progressFields.some((one) => one === name))
  take(
    after,
    known,
    rest.filter((name) => isAll || isBlank(after[name])),
  )
  fit(after)
}

function take(to: StoredRecord, from: StoredRecord, names: readonly string[]): void {
  for (const name of names) to[name] = from[name]
}

function isBlank(value: unknown): boolean {
  return !value || (Array.isArray(value) && value.length === 0)
}

/** Clamps the progress, as editions differ in length. */
function fit(book: StoredRecord): void {
  const { progress, page_count, duration, progress_minutes } = book as unknown as UserBook
  if (page_count > 0 && progress > page_count) book.progress = page_count
  if (duration > 0 && progress_minutes > duration) book.progress_minutes = duration
}

async function defaultStatus(tx: WriteTransaction, user: string): Promise<unknown> {
  const [row] = await defaults(tx, { user })
  return row?.[0]
}

const defaults = prepared<{ user: string }>(
  (value) => sql`SELECT default_add_status FROM settings WHERE "user" = ${value('user')}`,
)

/** Writes a change of a book to the reader's other records of it. */
export async function updateCopies(
  tx: WriteTransaction,
  before: StoredRecord | null,
  after: StoredRecord,
): Promise<void> {
  const isMoved = before !== null && before.book_key !== after.book_key
  const isOther = (name: string) =>
    !before || isMoved || JSON.stringify(before[name]) !== JSON.stringify(after[name])
  if (!sharedFields.some(isOther)) return
  for (const [at, { id }] of (await copiesOf(tx, after)).entries()) {
    if (at > 0 && at % atOnce === 0) await setImmediate()
    const copy = await tx.find('user_books', id)
    if (!copy) continue
    const values = { ...copy }
    take(values, after, sharedFields)
    fit(values)
    const changed = sharedFields.filter(
      (name) => JSON.stringify(values[name]) !== JSON.stringify(copy[name]),
    )
    if (!changed.length) continue
    tx.state(copyUpdates).add(id)
    await tx.update('user_books', id, Object.fromEntries(changed.map((n) => [n, values[n]])))
    tx.state(copyUpdates).delete(id)
  }
}
