import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { perTransaction, prepared, named } from '#records/index.ts'
import { columnsOf } from '#server/collections/select.ts'
import type { LibraryChange, LibraryTransaction, Stored } from '#server/collections/stored.ts'
import { differs } from './differs.ts'

/** Copies written at a time, so that other requests get their turn. */
const batchSize = 50

/** A reader's position in a book; these fields change together. */
export const positionFields = [
  'status',
  'progress',
  'progress_percent',
  'progress_minutes',
] as const

/** In groups that are known together: a review without its spoiler mark would show what it hides. */
const sharedGroups = [
  positionFields,
  ['review', 'review_spoilers', 'reviewed'],
  ['rating', 'rated'],
  ['tags'],
  ['notes'],
  ['format'],
  ['isPrivate'],
  ['language'],
  ['published'],
  ['series', 'series_position'],
  ['description'],
] as const
type SharedField = (typeof sharedGroups)[number][number]

/** The fields that are the same on all of a book's shelves. */
export const sharedFields: readonly SharedField[] = sharedGroups.flat()

/** Records that a transaction writes only because another copy was written. */
const copyUpdates = perTransaction(() => new Set<string>())

/** @returns whether the record is written because another copy of its book was */
export function isCopyUpdate(tx: LibraryTransaction, id: string): boolean {
  return copyUpdates(tx).has(id)
}

/** @returns the ids and shelves of a reader's other records of the same book, last changed first */
export async function copiesOf(
  tx: LibraryTransaction,
  { id, user, book_key }: Pick<Stored<'user_books'>, 'id' | 'user' | 'book_key'>,
): Promise<{ id: string; shelf: string }[]> {
  return named(await copies(tx, { id, user, book_key }), columnsOf('user_books', 'id', 'shelf'))
}

const copies = prepared<Record<'id' | 'user' | 'book_key', unknown>>(
  (value) => sql`SELECT id, shelf FROM user_books
    WHERE "user" = ${value('user')} AND book_key = ${value('book_key')} AND id <> ${value('id')}
    ORDER BY updated DESC, id`,
)

/**
 * Fills a record from another copy of its book. A new copy takes over everything that is known,
 * whatever the request says, and so does one from the trash. A record that becomes a copy by a
 * change of its ISBN, title or authors keeps its own state and takes over only what it lacks.
 *
 * @param copy another record of the book
 */
export async function fillFromCopy(
  tx: LibraryTransaction,
  { before, after }: Pick<LibraryChange<'user_books'>, 'before' | 'after'>,
  copy: string,
): Promise<void> {
  const known = await tx.find('user_books', copy)
  if (!known || !after) return
  const isMissing = (name: SharedField) =>
    isUnknown(after[name]) && !differs(before?.[name], after[name])
  for (const names of sharedGroups)
    if (!before || names.every(isMissing)) copyFields(after, known, names)
  clampProgress(after)
}

function copyFields(
  to: Stored<'user_books'>,
  from: Stored<'user_books'>,
  names: readonly SharedField[],
): void {
  Object.assign(to, Object.fromEntries(names.map((name) => [name, from[name]])))
}

function isUnknown(value: unknown): boolean {
  return !value || value === 'planning' || (Array.isArray(value) && value.length === 0)
}

/** Clamps the progress, as editions differ in length. */
function clampProgress(book: Stored<'user_books'>): void {
  const { progress, page_count, duration, progress_minutes } = book
  if (page_count > 0 && progress > page_count) book.progress = page_count
  if (duration > 0 && progress_minutes > duration) book.progress_minutes = duration
}

/** Writes a change of a book to the reader's other records of it. */
export async function updateCopies(
  tx: LibraryTransaction,
  before: Stored<'user_books'>,
  after: Stored<'user_books'>,
): Promise<void> {
  const isMoved = before.book_key !== after.book_key
  const names = sharedFields.filter((name) => isMoved || differs(before[name], after[name]))
  if (!names.length) return
  for (const [at, { id }] of (await copiesOf(tx, after)).entries()) {
    if (at > 0 && at % batchSize === 0) await setImmediate()
    await updateCopy(tx, id, after, names)
  }
}

/** Gives a record those values of another copy of its book. */
async function updateCopy(
  tx: LibraryTransaction,
  id: string,
  from: Stored<'user_books'>,
  names: readonly SharedField[],
): Promise<void> {
  const copy = await tx.find('user_books', id)
  if (!copy) return
  const values = { ...copy }
  copyFields(values, from, names)
  clampProgress(values)
  const changed = sharedFields.filter((name) => differs(values[name], copy[name]))
  if (!changed.length) return
  await updateAsCopy(tx, id, Object.fromEntries(changed.map((n) => [n, values[n]])))
}

/** Writes a record because another copy of its book was written. */
export async function updateAsCopy(
  tx: LibraryTransaction,
  id: string,
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  copyUpdates(tx).add(id)
  await tx.update('user_books', id, values)
  copyUpdates(tx).delete(id)
}

/** Books of a restored shelf that are compared at a time. */
const comparedAtOnce = 500

/** Gives the books of a shelf from the trash the state that their copies elsewhere have by now. */
export async function refreshRestoredBooks(tx: LibraryTransaction, shelf: string): Promise<void> {
  for (let last = ['', '']; ;) {
    const rows = await restoredBooks(tx, { shelf, title: last[0], id: last[1] })
    for (const [, id, copy] of rows) {
      const from = copy && (await tx.find('user_books', String(copy)))
      if (!from) continue
      await updateCopy(tx, String(id), from, sharedFields)
      await setImmediate()
    }
    if (rows.length < comparedAtOnce) return
    last = rows.at(-1)!.map(String)
    await setImmediate()
  }
}

/** Some books of a shelf, each with a copy on another shelf that differs, if there is one. */
const restoredBooks = prepared<Record<'shelf' | 'title' | 'id', unknown>>(
  (value) => sql`SELECT b.title, b.id, (
      SELECT c.id FROM user_books c
      WHERE c."user" = b."user" AND c.book_key = b.book_key AND c.shelf <> b.shelf
        AND (${sql.join(
          sharedFields.map((name) => sql`${sql.ref(`c.${name}`)} <> ${sql.ref(`b.${name}`)}`),
          sql` OR `,
        )})
      ORDER BY c.updated DESC, c.id LIMIT 1)
    FROM user_books b
    WHERE b.shelf = ${value('shelf')} AND (b.title, b.id) > (${value('title')}, ${value('id')})
    ORDER BY b.title, b.id LIMIT ${sql.lit(comparedAtOnce)}`,
)
