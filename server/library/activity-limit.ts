import { sql } from 'kysely'
import type { WriteTransaction } from '#records/index.ts'
import { plans } from '#shared/plan.ts'
import { query } from '#server/query.ts'

/**
 * Brings up to date since when a reader's entries are shown on the free plan: to the reader the
 * newest 100, to others the newest 100 of those that everybody may see, so that what is hidden
 * pushes nothing out of their sight. The rules of `activities` compare with it; older entries stay.
 * Done once, at the end of the transaction.
 */
export function refreshActivityLimit(tx: WriteTransaction, user: string): void {
  tx.atLast(`activities of ${user}`, () => refresh(tx, user))
}

async function refresh(tx: WriteTransaction, user: string): Promise<void> {
  // Two that write at once must not each count without the other. SQLite has one writer at a time.
  if (tx.dialect.name === 'postgres')
    await query(tx, sql`SELECT 1 FROM settings WHERE "user" = ${user} FOR NO KEY UPDATE`)
  const offset = sql.lit(plans.free.activities - 1)
  const [own] = await query(
    tx,
    sql`SELECT created FROM activities WHERE "user" = ${user}
      ORDER BY created DESC, id LIMIT 1 OFFSET ${offset}`,
  )
  const [shown] = own ? await query(tx, sql`${newestForAll(user)} OFFSET ${offset}`) : []
  const [since, publicSince] = [own, shown].map((row) => String(row?.[0] ?? ''))
  await query(
    tx,
    sql`UPDATE settings SET activities_since = ${since}, activities_public_since = ${publicSince}
      WHERE "user" = ${user}
        AND (activities_since <> ${since} OR activities_public_since <> ${publicSince})`,
  )
}

/** The entries of a public profile that everybody may see, newest first. */
function newestForAll(user: unknown) {
  return sql`SELECT a.created FROM activities a
    JOIN bookshelves s ON s.id = a.shelf
    JOIN user_books b ON b.id = a.book
    JOIN bookshelves h ON h.id = b.shelf
    WHERE a."user" = ${user} AND a."isPrivate" = FALSE
      AND s.visibility = 'public' AND h.visibility = 'public'
    ORDER BY a.created DESC, a.id LIMIT 1`
}
