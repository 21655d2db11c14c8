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

/** What is true about shelves: their names, and how many a plan has room for. */
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
      // Its entries and books are hidden or shown with it.
      if (action !== 'create' && before?.visibility !== after?.visibility) {
        const user = String((after ?? before)?.user)
        recountEntries(tx, user)
        recountTotals(tx, user)
      }
      // It comes with its books, about which it knows what it knew when it went.
      if (action === 'restore' && after) {
        const [row] = await booksOn(tx, { shelf: after.id })
        const [shown, hidden] = [Number(row?.[0]), Number(row?.[1])]
        countBook(tx, after.id, shown - Number(after.book_count))
        countPrivateBook(tx, after.id, hidden - Number(after.private_count))
      }
    },
  }
}

/** @throws ApiError 400 if the reader's plan has no room for another shelf */
export async function requireShelfLimit(tx: WriteTransaction, user: string, planDefault: Plan) {
  await lockReader(tx, user)
  const [row] = await query(tx, sql`SELECT COUNT(*) FROM bookshelves WHERE "user" = ${user}`)
  const plan = await planOf(tx, user, planDefault)
  if (Number(row?.[0]) >= plans[plan].shelves) throw new ApiError(400, shelfLimitMessage)
}

/** How many books a transaction has put on a shelf, less those it took away. */
const addedBooks = () => new Map<string, number>()

/**
 * Brings a shelf's count and covers up to date with its books, once, at the end of the transaction.
 * The count is kept by what came and went, so that a book costs the same on a shelf of any length;
 * whoever changes a shelf's books has it locked until then.
 *
 * @param by how many books more, or fewer, there are now; 0 if some look different
 */
export function countBook(tx: WriteTransaction, shelf: string, by: number): void {
  const counts = tx.state(addedBooks)
  counts.set(shelf, (counts.get(shelf) ?? 0) + by)
  tx.atEnd(`shelf ${shelf}`, () => settle(tx, shelf))
}

/** How many private books a transaction has put on a shelf, less those it took away. */
const addedPrivately = () => new Map<string, number>()

/** As {@link countBook}, for books that only their reader sees: others get no event. */
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
  // A shelf that is gone stays gone.
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
  // What an import adds or takes back is nothing that its reader did to the shelf.
  if (before)
    await modify(
      tx,
      'bookshelves',
      sql`UPDATE bookshelves SET updated = ${before.updated} WHERE id = ${shelf}`,
    )
}

/** One row of nothing for a shelf without books, no row for one that is gone. */
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
