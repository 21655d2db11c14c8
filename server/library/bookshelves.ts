import { sql } from 'kysely'
import { ApiError, prepared, type Hooks, type WriteTransaction } from '#records/index.ts'
import { shelfForm } from '#shared/bookshelf.ts'
import { plans, shelfLimitMessage, type Plan } from '#shared/plan.ts'
import { planOf } from '#server/billing/plan.ts'
import { query } from '#server/query.ts'
import { renameInActivities } from './activities.ts'
import { refreshActivityLimit } from './activity-limit.ts'
import { coverOf } from './cover.ts'
import { lockReader } from './locks.ts'
import { check, refuse, type Wrong } from './refusal.ts'

/** Covers a shelf shows. */
const shownCovers = 4

/** What is true about shelves: their names, and how many a plan has room for. */
export function bookshelfHooks(planDefault: Plan): Hooks {
  return {
    async prepare({ action, after, request }, tx) {
      if (!after) return
      const wrong: Wrong = {}
      const form = check(shelfForm, { name: after.name, visibility: after.visibility }, wrong)
      refuse(action, wrong)
      Object.assign(after, form)
      if (action === 'create') Object.assign(after, { book_count: 0, covers: [], latest: [] })
      else if (action !== 'restore') return
      if (request || action === 'restore')
        await refuseBeyondPlan(tx, String(after.user), planDefault)
    },

    async applied({ action, before, after }, tx) {
      if (before && after && before.name !== after.name)
        await renameInActivities(tx, { shelf: after.id }, 'shelf', String(after.name))
      // Its entries are hidden or shown with it.
      if (action !== 'create' && before?.visibility !== after?.visibility)
        refreshActivityLimit(tx, String((after ?? before)?.user))
      // What was still to be counted when it went.
      if (action === 'restore' && after)
        tx.atLast(`count ${after.id}`, () => recountShelf(tx, after.id))
    },
  }
}

async function refuseBeyondPlan(tx: WriteTransaction, user: string, planDefault: Plan) {
  await lockReader(tx, user)
  const [row] = await query(tx, sql`SELECT COUNT(*) FROM bookshelves WHERE "user" = ${user}`)
  const plan = await planOf(tx, user, planDefault)
  if (Number(row?.[0]) >= plans[plan].shelves) throw new ApiError(400, shelfLimitMessage)
}

/** Brings a shelf's count and covers up to date with its books. A shelf that is gone stays gone. */
export async function recountShelf(tx: WriteTransaction, shelf: string): Promise<void> {
  const [row] = await count(tx, { shelf })
  if (!row) return
  const latest = (await newest(tx, { shelf })).map(([id, title, authors, image, images]) => ({
    title: String(title),
    author: (JSON.parse(String(authors)) as string[])[0] ?? '',
    cover: coverOf({
      id: String(id),
      image: String(image),
      images: JSON.parse(String(images)) as string[],
    }),
  }))
  await tx.update('bookshelves', shelf, {
    book_count: Number(row[0]),
    covers: latest.map(({ cover }) => cover).filter(Boolean),
    latest,
  })
}

/** No row for a shelf that is gone. */
const count = prepared<{ shelf: string }>(
  (value) => sql`SELECT (SELECT COUNT(*) FROM user_books WHERE shelf = bookshelves.id)
    FROM bookshelves WHERE id = ${value('shelf')}`,
)
const newest = prepared<{ shelf: string }>(
  (value) => sql`SELECT id, title, authors, image, images FROM user_books
    WHERE shelf = ${value('shelf')} ORDER BY created DESC, id LIMIT ${sql.lit(shownCovers)}`,
)
