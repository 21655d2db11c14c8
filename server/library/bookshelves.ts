import { sql } from 'kysely'
import {
  ApiError,
  prepared,
  preparedWrite,
  type Hooks,
  type WriteTransaction,
} from '#records/index.ts'
import { shelfForm } from '#shared/bookshelf.ts'
import { plans, shelfLimitMessage, type Plan } from '#shared/plan.ts'
import { planOf } from '#server/billing/plan.ts'
import { modify, query } from '#server/query.ts'
import { hasSuppressedActivities, renameInActivities } from './activities.ts'
import { recountEntries } from './activity-limit.ts'
import { coverOf } from './cover.ts'
import { dropLockedShelf } from './locked-shelf.ts'
import { lockReader } from './locks.ts'
import { checkSchema, throwFieldErrors, type FieldProblems } from './field-errors.ts'
import { recountTotals } from './totals.ts'

/** Covers a shelf shows. */
const shownCovers = 4

/** Hooks of shelves: their names, and the plan's limit. */
export function bookshelfHooks(planDefault: Plan): Hooks {
  return {
    async prepare({ action, after, request }, tx) {
      if (!after) return
      const wrong: FieldProblems = {}
      const form = checkSchema(shelfForm, { name: after.name, visibility: after.visibility }, wrong)
      throwFieldErrors(action, wrong)
      Object.assign(after, form)
      if (action === 'create')
        Object.assign(after, { book_count: 0, private_count: 0, covers: [], latest: [] })
      else if (action !== 'restore') return
      if (request || action === 'restore')
        await requireShelfLimit(tx, String(after.user), planDefault)
    },

    async applied({ action, before, after }, tx) {
      dropLockedShelf(tx, String((after ?? before)?.id))
      if (before && after && before.name !== after.name)
        await renameInActivities(tx, { shelf: after.id }, 'shelf', String(after.name))
      // Its entries and books become hidden or visible with it.
      if (action !== 'create' && before?.visibility !== after?.visibility) {
        const user = String((after ?? before)?.user)
        recountEntries(tx, user)
        recountTotals(tx, user)
      }
      // Its count dates from its removal: correct it by the books that were restored with it.
      if (action === 'restore' && after) {
        const [row] = await booksOn(tx, { shelf: after.id })
        const [shown, hidden] = [Number(row?.[0]), Number(row?.[1])]
        countBook(tx, after.id, shown - Number(after.book_count))
        countPrivateBook(tx, after.id, hidden - Number(after.private_count))
      }
    },
  }
}

/** @throws ApiError 400 if the reader's plan allows no further shelf */
export async function requireShelfLimit(tx: WriteTransaction, user: string, planDefault: Plan) {
  await lockReader(tx, user)
  const [row] = await query(tx, sql`SELECT COUNT(*) FROM bookshelves WHERE "user" = ${user}`)
  const plan = await planOf(tx, user, planDefault)
  if (Number(row?.[0]) >= plans[plan].shelves) throw new ApiError(400, shelfLimitMessage)
}

/** The net number of books a transaction has added to each shelf. */
const addedBooks = () => new Map<string, number>()

/**
 * Updates a shelf's count and covers at the end of the transaction. The count is adjusted by the
 * difference, so that a book costs the same on a shelf of any length. The shelf must be locked.
 *
 * @param by the difference in books; 0 if only a cover changed
 */
export function countBook(tx: WriteTransaction, shelf: string, by: number): void {
  const counts = tx.state(addedBooks)
  counts.set(shelf, (counts.get(shelf) ?? 0) + by)
  tx.atEnd(`shelf ${shelf}`, () => settle(tx, shelf))
}

/** The net number of private books a transaction has added to each shelf. */
const addedPrivately = () => new Map<string, number>()

/** Like {@link countBook}, for private books, of which others get no event. */
export function countPrivateBook(tx: WriteTransaction, shelf: string, by: number): void {
  if (!by) return
  const counts = tx.state(addedPrivately)
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

async function settle(tx: WriteTransaction, shelf: string): Promise<void> {
  const counts = tx.state(addedBooks)
  const by = counts.get(shelf) ?? 0
  counts.delete(shelf)
  const rows = await newest(tx, { shelf })
  // The shelf has been deleted.
  if (!rows.length) return
  const latest = rows
    .filter(([id]) => id !== null)
    .map(([id, title, authors, image, images]) => ({
      title: String(title),
      author: (JSON.parse(String(authors)) as string[])[0] ?? '',
      cover: coverOf({
        id: String(id),
        image: String(image),
        images: JSON.parse(String(images)) as string[],
      }),
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
