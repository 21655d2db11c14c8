import { sql } from 'kysely'
import {
  perTransaction,
  ApiError,
  prepared,
  preparedWrite,
  named,
  number,
  text,
  texts,
} from '#records/index.ts'
import type { LibraryHooks, LibraryTransaction, Stored } from '#server/collections/stored.ts'
import { shelfForm } from '#shared/bookshelf.ts'
import { plans, type Plan } from '#shared/plan.ts'
import answers from '#shared/sentences/answers.json' with { type: 'json' }
import { planOf } from '#server/billing/plan.ts'
import { modify, query } from '#server/storage/query.ts'
import { hasSuppressedActivities, renameInActivities } from './activities.ts'
import { recountEntries } from './activity-limit.ts'
import { coverOf } from './cover.ts'
import { dropLockedShelf } from './locked-shelf.ts'
import { lockReader } from '#server/collections/locks.ts'
import { checkSchema, throwFieldErrors, type FieldProblems } from './field-errors.ts'
import { refreshRestoredBooks } from './shared-state.ts'
import { countShelf, updateTotals } from './totals.ts'

/** Covers a shelf shows. */
const shownCovers = 4

/** Hooks of shelves: their names, and the plan's limit. */
export function bookshelfHooks(planDefault: Plan): LibraryHooks<'bookshelves'> {
  return {
    async prepare({ action, before, after, request }, tx) {
      const user = (after ?? before)?.user ?? ''
      if (isShownOrHidden(before, after)) await updateTotals(tx, user)
      if (!after) return
      const wrong: FieldProblems = {}
      const form = checkSchema(shelfForm, { name: after.name, visibility: after.visibility }, wrong)
      throwFieldErrors(action, wrong)
      Object.assign(after, form)
      if (action === 'create')
        Object.assign(after, { book_count: 0, private_count: 0, covers: [], latest: [] })
      else if (action !== 'restore') return
      if (action === 'restore') await keepOneOfKind(tx, after)
      if (request || action === 'restore') await requireShelfLimit(tx, after, planDefault)
    },

    async applied({ action, before, after }, tx) {
      const shelf = after ?? before
      if (shelf) dropLockedShelf(tx, shelf.id)
      if (before && after && before.name !== after.name)
        await renameInActivities(tx, { shelf: after.id }, 'shelf', after.name)
      // Its entries and books become hidden or visible with it.
      if (shelf && action !== 'create' && isShownOrHidden(before, after)) {
        recountEntries(tx, shelf.user)
        if (after) await countShelf(tx, after, before && before.visibility === 'public')
      }
      // Its count dates from its removal: correct it by the books that were restored with it.
      if (action === 'restore' && after) {
        const rows = await booksOn(tx, { shelf: after.id })
        const { shown, hidden } = named(rows, { shown: number, hidden: number })[0]!
        countBook(tx, after.id, shown - after.book_count)
        countPrivateBook(tx, after.id, hidden - after.private_count)
        await refreshRestoredBooks(tx, after.id)
      }
    },
  }
}

function isShownOrHidden(
  before: Stored<'bookshelves'> | null,
  after: Stored<'bookshelves'> | null,
): boolean {
  return before?.visibility !== after?.visibility
}

/**
 * A shelf of a kind, such as "Want to read", doesn't count.
 *
 * @param shelf to be added
 * @throws ApiError 400 if its reader's plan allows no further shelf
 */
export async function requireShelfLimit(
  tx: LibraryTransaction,
  shelf: { user: string; kind?: unknown },
  planDefault: Plan,
) {
  const { user, kind } = shelf
  await lockReader(tx, user)
  if (kind) return
  const rows = await query(
    tx,
    sql`SELECT COUNT(*) FROM bookshelves WHERE "user" = ${user} AND kind = ''`,
  )
  const { count } = named(rows, { count: number })[0]!
  const plan = await planOf(tx, user, planDefault)
  if (count >= plans[plan].shelves) throw new ApiError(400, answers.shelfLimit)
}

/** A restored shelf loses its kind to one that was made since it was deleted. */
async function keepOneOfKind(tx: LibraryTransaction, shelf: Stored<'bookshelves'>): Promise<void> {
  const { user, kind } = shelf
  if (!kind) return
  await lockReader(tx, user)
  const newer = await query(
    tx,
    sql`SELECT 1 FROM bookshelves WHERE "user" = ${user} AND kind = ${kind}`,
  )
  if (newer.length) shelf.kind = ''
}

/** The net number of books a transaction has added to each shelf. */
const addedBooks = perTransaction(() => new Map<string, number>())

/**
 * Updates a shelf's count and covers at the end of the transaction. The count is adjusted by the
 * difference, so that a book costs the same on a shelf of any length. The shelf must be locked.
 *
 * @param by the difference in books; 0 if only a cover changed
 */
export function countBook(tx: LibraryTransaction, shelf: string, by: number): void {
  const counts = addedBooks(tx)
  counts.set(shelf, (counts.get(shelf) ?? 0) + by)
  tx.atEnd(`shelf ${shelf}`, () => updateShelfCard(tx, shelf))
}

/** The net number of private books a transaction has added to each shelf. */
const addedPrivately = perTransaction(() => new Map<string, number>())

/** Like {@link countBook}, for private books, of which others get no event. */
export function countPrivateBook(tx: LibraryTransaction, shelf: string, by: number): void {
  if (!by) return
  const counts = addedPrivately(tx)
  counts.set(shelf, (counts.get(shelf) ?? 0) + by)
  tx.atEnd(`private books of ${shelf}`, async () => {
    const sum = counts.get(shelf) ?? 0
    counts.delete(shelf)
    await addPrivate(tx, { shelf, by: sum })
  })
}

const addPrivate = preparedWrite<{ shelf: string; by: number }>(
  'bookshelves',
  (value) => sql`UPDATE bookshelves SET private_count = private_count + ${value('by')}
    WHERE id = ${value('shelf')}`,
)

async function updateShelfCard(tx: LibraryTransaction, shelf: string): Promise<void> {
  const counts = addedBooks(tx)
  const by = counts.get(shelf) ?? 0
  counts.delete(shelf)
  const columns = { id: text, title: text, authors: texts, image: text, images: texts }
  const books = named(await newest(tx, { shelf }), columns)
  // The shelf has been deleted.
  if (!books.length) return
  const latest = books
    .filter(({ id }) => id)
    .map((book) => ({
      title: book.title,
      author: book.authors[0] ?? '',
      cover: coverOf(book),
    }))
  const before = hasSuppressedActivities(tx) ? await tx.find('bookshelves', shelf) : null
  await tx.update('bookshelves', shelf, {
    'book_count+': by,
    covers: latest.map(({ cover }) => cover).filter(Boolean),
    latest,
  })
  // An import doesn't count as a reader's change to the shelf.
  if (before)
    await modify(
      tx,
      'bookshelves',
      sql`UPDATE bookshelves SET updated = ${before.updated} WHERE id = ${shelf}`,
    )
}

/** Returns an empty row for a shelf without books, and no row for a deleted one. */
const newest = prepared<{ shelf: string }>(
  (value) => sql`SELECT b.id, b.title, b.authors, b.image, b.images
    FROM bookshelves s LEFT JOIN user_books b ON b.shelf = s.id AND b."isPrivate" = FALSE
    WHERE s.id = ${value('shelf')} ORDER BY b.created DESC, b.id LIMIT ${sql.lit(shownCovers)}`,
)

const booksOn = prepared<{ shelf: string }>(
  (value) => sql`SELECT COALESCE(SUM(CASE WHEN "isPrivate" THEN 0 ELSE 1 END), 0),
      COALESCE(SUM(CASE WHEN "isPrivate" THEN 1 ELSE 0 END), 0)
    FROM user_books WHERE shelf = ${value('shelf')}`,
)
