import { sql } from 'kysely'
import { prepared, type Hooks, type StoredRecord, type WriteTransaction } from '#records/index.ts'
import { parseIsbn } from '#shared/isbn.ts'
import { percentRead, readingPosition, type ReadingPosition } from '#shared/reading-position.ts'
import { userBookForm } from '#shared/user-book-form.ts'
import { bookKey, type UserBook } from '#shared/user-book.ts'
import { refreshActivityLimit } from './activity-limit.ts'
import { recordActivity, renameInActivities } from './activities.ts'
import { bookChanged } from './bookshelves.ts'
import { coverOf } from './cover.ts'
import { knownShelf, lockShelves } from './known-shelf.ts'
import { check, refuse, type Wrong } from './refusal.ts'

/** The same answer for a shelf of somebody else and for none at all. */
const noSuchShelf = {
  code: 'validation_missing_rel_records',
  message: 'Failed to find all relation records with the provided ids.',
}

/** What is true about a book on a shelf, and what follows from a change to one. */
export function userBookHooks(now: () => Date): Hooks {
  return {
    async prepare({ action, before, after }, tx) {
      if (!after) return lockShelves(tx, shelvesOf(before, null))
      const wrong: Wrong = {}
      const form = check(userBookForm, asForm(before, after), wrong)
      // A rating says nothing that its shelf would have to know.
      const isTold = !before || told.some((name) => differs(before[name], after[name]))
      if (isTold) await lockShelves(tx, shelvesOf(before, after))
      if (after.shelf && after.shelf !== before?.shelf && !(await ownsShelf(tx, after)))
        wrong.shelf = noSuchShelf
      refuse(action, wrong)
      Object.assign(after, form)
      after.isbn = parseIsbn(String(after.isbn)) ?? ''
      const book = after as unknown as UserBook
      after.progress_average = percentRead(book)
      if (!isTold) return
      after.book_key = bookKey(book)
      if (await isOnShelf(tx, after)) wrong.isbn = alreadyThere
      refuse(action, wrong)
    },

    async applied({ action, before, after, request }, tx) {
      if (after && action !== 'restore')
        await recordActivity(tx, before as UserBook | null, after as unknown as UserBook, {
          now: now(),
          isUndo: request?.query['undo'] === 'true',
        })
      if (before && after && before.title !== after.title)
        await renameInActivities(tx, { book: after.id }, 'title', String(after.title))
      for (const [shelf, by] of shelvesChanged(before, after)) bookChanged(tx, shelf, by)
      // Its entries are hidden or shown with its shelf.
      if (action === 'restore' || (before && before.shelf !== after?.shelf))
        refreshActivityLimit(tx, String((after ?? before)?.user))
    },
  }
}

/** What a book is to its shelf and to the timeline, or is told apart by. */
const told = [
  ...(['shelf', 'title', 'authors', 'isbn', 'images', 'image'] as const),
  ...(['status', 'progress', 'progress_percent'] as const),
]

function differs(a: unknown, b: unknown): boolean {
  return a !== b && JSON.stringify(a) !== JSON.stringify(b)
}

const alreadyThere = {
  code: 'validation_not_unique',
  message: 'This book is already on the shelf.',
}

/** The values to check, with the page and the share that follow from each other. */
function asForm(before: StoredRecord | null, book: StoredRecord): Record<string, unknown> {
  return {
    ...book,
    authors: book.authors ?? [],
    genres: book.genres ?? [],
    images: book.images ?? [],
    ...readingPosition(before as ReadingPosition | null, book as unknown as UserBook),
  }
}

async function ownsShelf(tx: WriteTransaction, book: StoredRecord): Promise<boolean> {
  const shelf = await knownShelf(tx, String(book.shelf))
  return shelf !== null && shelf.user === book.user
}

/** Whether another record on the shelf is the same book by ISBN. */
async function isOnShelf(tx: WriteTransaction, book: StoredRecord): Promise<boolean> {
  if (!book.isbn) return false
  const { id, shelf, book_key } = book
  return (await twins(tx, { id, shelf, book_key })).length > 0
}

const twins = prepared<Record<'id' | 'shelf' | 'book_key', unknown>>(
  (value) => sql`SELECT 1 FROM user_books
    WHERE shelf = ${value('shelf')} AND book_key = ${value('book_key')}
      AND isbn <> '' AND id <> ${value('id')} LIMIT 1`,
)

/** Shelves whose count or covers the change touches, each with how many books more it has. */
function shelvesChanged(
  before: StoredRecord | null,
  after: StoredRecord | null,
): [shelf: string, by: number][] {
  if (before && after && before.shelf === after.shelf)
    return look(before) === look(after) ? [] : [[String(after.shelf), 0]]
  return [
    ...shelvesOf(before, null).map((shelf): [string, number] => [shelf, -1]),
    ...shelvesOf(null, after).map((shelf): [string, number] => [shelf, 1]),
  ]
}

function shelvesOf(before: StoredRecord | null, after: StoredRecord | null): string[] {
  return [...new Set([before?.shelf, after?.shelf])].filter(Boolean).map(String)
}

/** What a shelf shows of a book. */
function look(record: StoredRecord): string {
  const book = record as unknown as UserBook
  return JSON.stringify([book.title, book.authors[0], coverOf(book)])
}
