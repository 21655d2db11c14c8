import { sql } from 'kysely'
import { suppressActivities } from '#server/library/activities.ts'
import { deviceWrites } from '#server/library/moment.ts'
import { updateCopies } from '#server/library/shared-state.ts'
import {
  boundFields,
  type BindingEffect,
  type BoundPosition,
  type Push,
} from '#server/collections/connections.ts'
import type { LibraryTransaction, Stored } from '#server/collections/stored.ts'
import { selectBy } from '#server/collections/select.ts'
import { pageAt } from '#shared/reading-position.ts'

/**
 * Moves a reader's book forward to where a device was, on the day it was there. It never goes back,
 * and a book that the reader has finished or given up stays as it is.
 *
 * @param known what the binding has done so far
 * @returns what it has done by now
 */
export async function applyPush(
  tx: LibraryTransaction,
  copy: string,
  { percent, at }: Pick<Push, 'percent' | 'at'>,
  known: BindingEffect | null,
): Promise<BindingEffect | null> {
  const book = await tx.find('user_books', copy)
  const values = book && furtherPosition(book, percent)
  if (!values) return known
  const writes = deviceWrites(tx)
  writes.pushed = new Date(at)
  writes.created = []
  const after = await tx.update('user_books', copy, values)
  return {
    before: known?.before ?? positionOf(book),
    after: positionOf(after),
    created: [...(known?.created ?? []), ...writes.created],
  }
}

/** @returns null if the book is as far already, or isn't being read */
function furtherPosition(
  book: Stored<'user_books'>,
  percent: number,
): Partial<BoundPosition> | null {
  if (book.status === 'completed' || book.status === 'dropped') return null
  const { page_count, progress, progress_percent, format, duration } = book
  const page = pageAt(percent, page_count)
  const isFurther = page_count > 0 ? page > progress : percent > progress_percent
  if (!isFurther) return null
  const minutes = Math.max(book.progress_minutes, Math.floor((percent * duration) / 100))
  return {
    status: 'reading',
    ...(page_count > 0 ? { progress: page } : { progress_percent: percent }),
    ...(format === 'audio' && duration > 0 && { progress_minutes: minutes }),
  }
}

/** @returns what a device can change about a book */
export const positionOf = ({
  status,
  progress,
  progress_percent,
  progress_minutes,
}: Stored<'user_books'>): BoundPosition => ({
  status,
  progress,
  progress_percent,
  progress_minutes,
})

/** @returns what a document's binding has done to its book; null for nothing yet */
export const effectOf = ({ effect }: Stored<'device_books'>): BindingEffect | null =>
  effect && 'created' in effect ? effect : null

/**
 * Takes back what a device has done to a book that it wasn't. A position that the reader has changed
 * since stays.
 */
export async function takeBack(
  tx: LibraryTransaction,
  bound: Pick<Stored<'device_books'>, 'user' | 'book_key'>,
  { before, after, created }: BindingEffect,
): Promise<void> {
  const copy = await findCopy(tx, bound)
  const book = copy && (await tx.find('user_books', copy))
  const isAsLeft = book && boundFields.every((name) => book[name] === (after[name] ?? book[name]))
  if (isAsLeft) {
    // The records of these changes are deleted below; undoing them makes no others.
    suppressActivities(tx)
    await updateCopies(tx, book, await tx.update('user_books', book.id, before))
  }
  for (const { collection, id } of created)
    if (isAsLeft || collection !== 'readings')
      if (await tx.find(collection, id)) await tx.delete(collection, id)
}

/** @returns the id of a reader's record of a book, one with pages first; null if there is none */
export async function findCopy(
  tx: LibraryTransaction,
  { user, book_key }: Pick<Stored<'device_books'>, 'user' | 'book_key'>,
): Promise<string | null> {
  if (!book_key) return null
  const [copy] = await copies(tx, { user, book_key })
  return copy?.id ?? null
}

const copies = selectBy(
  'user_books',
  ['id'],
  ['user', 'book_key'],
  sql`ORDER BY CASE WHEN page_count > 0 THEN 0 ELSE 1 END, updated DESC, id LIMIT 1`,
)
