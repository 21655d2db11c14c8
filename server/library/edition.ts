import type { Change } from '#records/index.ts'
import type { LibraryTransaction, Stored } from '#server/collections/stored.ts'
import { pageAt, progressPercent } from '#shared/reading-position.ts'
import { bookKey, type FormerEdition } from '#shared/user-book.ts'
import { copiesOf, positionFields, updateAsCopy } from './shared-state.ts'

type Book = Stored<'user_books'>

/** What an edition has of its own; language and year are the same on all shelves anyway. */
const editionFields = ['title', 'authors', 'isbn', 'images', 'page_count'] as const

/**
 * Whether a request says with `edition=true` that the reader has another edition of the book: all of
 * its records become that edition, and the reader has read as much of it as of the one before.
 */
export function changesEdition(request: Change['request']): boolean {
  return request?.query['edition'] === 'true'
}

/** The most editions that are remembered. */
const maxFormer = 10

/** @returns the editions that a book has been, after it has become another one */
export function formerEditions(before: Book, after: Book, isUndo: boolean): FormerEdition[] | null {
  const known = before.former_editions ?? []
  const all = isUndo ? known : [...known, editionOf(before)]
  const now = bookKey(editionOf(after))
  const former = all.filter((one) => bookKey(one) !== now).slice(-maxFormer)
  return former.length > 0 ? former : null
}

const editionOf = ({ title, authors, isbn }: Book): FormerEdition => ({
  title,
  authors: authors ?? [],
  isbn,
})

/** Keeps the share that was read, unless the request brings the position along. */
export function followLength(before: Book, after: Book): void {
  if (positionFields.some((name) => before[name] !== after[name])) return
  const percent = progressPercent(before.progress, before.page_count)
  // A percentage that was entered stays, and the page follows it.
  if (before.page_count === after.page_count || before.progress_percent > 0) return
  if (after.page_count <= 0 && percent > 0)
    Object.assign(after, { progress: 0, progress_percent: Math.max(1, Math.round(percent)) })
  else if (percent > 0) after.progress = Math.max(1, pageAt(percent, after.page_count))
  else if (after.page_count > 0) after.progress = Math.min(after.progress, after.page_count)
}

/** Makes the reader's other records of a book, deleted ones too, the edition that one has become. */
export async function moveCopies(tx: LibraryTransaction, before: Book, after: Book): Promise<void> {
  const { user, book_key } = before
  const names = [...editionFields, 'former_editions'] as const
  const facts = Object.fromEntries(names.map((name) => [name, after[name]]))
  const position = Object.fromEntries(positionFields.map((name) => [name, after[name]]))
  for (const { id } of await copiesOf(tx, before))
    await updateAsCopy(tx, id, { ...facts, ...position })
  await tx.updateTrash(
    user,
    'user_books',
    { book_key },
    { ...facts, book_key: after.book_key, work: after.work },
  )
}
