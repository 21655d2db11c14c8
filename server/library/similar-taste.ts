import { sql, type RawBuilder } from 'kysely'
import type { Database } from '#records/index.ts'
import { directoryPageSize, tasteMin, type Taste } from '#shared/directory.ts'
import { query } from '#server/query.ts'
import { isPublicProfile } from './profile.ts'

/** Of a reader's own books, so many of the best rated are looked for in other libraries. */
const askedBooks = 60

/**
 * Of the readers of one book, so many on either side of the one who asks, by id. Ids are random, so
 * they are a fair sample, and the same readers in the samples of all books. With
 * {@link askedBooks} it bounds what one question costs, however popular the books.
 */
const askedReaders = 150

/** Half of this, in half stars, is as far apart as two opinions can be before they count against. */
const apart = 5

/** Somebody's public books, one row for each on each shelf. */
const onPublicShelves = (books: RawBuilder<unknown>) =>
  sql`${books} JOIN bookshelves h ON h.id = t.shelf AND h.visibility = 'public'`

/**
 * The readers whose public shelves are most like those of one reader, nearest first. What both rated
 * alike counts for them, what they disagree about against them, each book once, and the fewer
 * readers a book has the more. A book on a private shelf counts on neither side.
 *
 * @param viewer id of who asks; how they are seen themselves does not matter
 * @param found a condition on `u`, the other reader
 * @returns ids with what makes them similar, and how many there are on all pages
 */
export async function similarReaders(
  database: Database,
  viewer: string,
  page: number,
  found: RawBuilder<unknown> = sql`TRUE`,
): Promise<{ total: number; readers: Map<string, Taste> }> {
  const rows = await query(
    database,
    sql`${near(viewer)} SELECT near."user", COUNT(*) OVER () FROM near
      JOIN users u ON u.id = near."user"
      JOIN settings s ON s."user" = u.id AND ${isPublicProfile(sql`s`)}
      WHERE ${found} ORDER BY near.closeness DESC, near."user"
      LIMIT ${sql.lit(directoryPageSize)} OFFSET ${(page - 1) * directoryPageSize}`,
  )
  const reasons = await Promise.all(
    rows.map(async ([id]) => [String(id), await tasteOf(database, viewer, String(id))] as const),
  )
  return { total: Number(rows[0]?.[1] ?? 0), readers: new Map(reasons) }
}

/** Common table expressions up to `near`: other readers, private profiles too, and how close. */
export function near(viewer: string): RawBuilder<unknown> {
  const among = (side: RawBuilder<unknown>, order: RawBuilder<unknown>, end: RawBuilder<unknown>) =>
    sql`COALESCE((SELECT o."user" FROM user_books o
      WHERE o.book_key = mine.book_key AND o."user" ${side} ${viewer}
      ORDER BY o."user" ${order} LIMIT 1 OFFSET ${sql.lit(askedReaders - 1)}), ${end})`
  return sql`WITH mine AS MATERIALIZED (
      SELECT t.book_key, MAX(t.rating) AS rating
      FROM ${onPublicShelves(sql`user_books t`)} WHERE t."user" = ${viewer}
      GROUP BY t.book_key ORDER BY MAX(t.rating) DESC, t.book_key LIMIT ${sql.lit(askedBooks)}
    ), asked AS MATERIALIZED (
      SELECT mine.book_key, mine.rating, 1 / SQRT((SELECT COUNT(*) FROM (SELECT 1 FROM user_books o
          WHERE o.book_key = mine.book_key LIMIT ${sql.lit(2 * askedReaders)}) known)) AS weight,
        ${among(sql`<`, sql`DESC`, sql`''`)} AS since, ${among(sql`>`, sql``, sql`'~'`)} AS until
      FROM mine
    ), shared AS (
      SELECT t."user", asked.weight, asked.rating AS mine, MAX(t.rating) AS theirs
      FROM asked CROSS JOIN ${onPublicShelves(sql`user_books t`)}
      WHERE t.book_key = asked.book_key AND t."user" BETWEEN asked.since AND asked.until
        AND t."user" <> ${viewer}
      GROUP BY t."user", asked.book_key, asked.rating, asked.weight
    ), near AS (
      SELECT "user", SUM(weight * CASE WHEN mine > 0 AND theirs > 0
        THEN 1 - ABS(mine - theirs) / ${sql.lit(apart)} ELSE 0.25 END) AS closeness
      FROM shared GROUP BY "user" HAVING COUNT(*) >= ${sql.lit(tasteMin)}
    )`
}

/** What two readers have in common, over all their public books. */
async function tasteOf(database: Database, viewer: string, other: string): Promise<Taste> {
  const books = (user: string) =>
    sql`SELECT t.book_key, MAX(t.rating) AS rating, MIN(t.title) AS title
      FROM ${onPublicShelves(sql`user_books t`)} WHERE t."user" = ${user} GROUP BY t.book_key`
  const rows = await query(
    database,
    sql`SELECT COUNT(*) OVER (), mine.title,
        CASE WHEN mine.rating = theirs.rating THEN mine.rating ELSE 0 END AS alike
      FROM (${books(viewer)}) mine JOIN (${books(other)}) theirs ON theirs.book_key = mine.book_key
      ORDER BY alike DESC, mine.title LIMIT 1`,
  )
  const [count, title, rating] = rows[0] ?? [0, '', 0]
  const isLoved = Number(rating) >= lovedFrom
  return {
    in_common: Number(count),
    both_gave: isLoved ? { title: String(title), rating: Number(rating) } : null,
  }
}

/** From four of five stars on a book is named. */
const lovedFrom = 8
