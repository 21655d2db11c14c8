import { sql, type RawBuilder } from 'kysely'
import { type Database, number, text } from '#records/index.ts'
import { directoryPageSize, minCommonBooks, type Taste } from '#shared/directory.ts'
import { query } from '#server/storage/query.ts'
import { isPublicProfile } from '#server/collections/profile-rows.ts'

/** How many of the reader's best rated books are compared. */
const comparedBooks = 60

/**
 * How many readers of those books are sampled, half on either side of the reader's id. Ids are
 * random, so this is a fair sample with the same readers for all books.
 */
const askedReaders = 3000

/** How many readers are compared book by book. */
const metReaders = 200

/** How many of the nearest are shown; their loved books determine the final order. */
const circleReaders = 100

/** How many of each one's best rated books count. */
const lovedBooks = 40

/** From this many readers on, a book counts as one that everybody has. */
const maxReaders = 1000

/** The largest difference between two ratings, in half stars. */
const farthest = 10

/** The smallest weight of a reader who shares little else with the circle. */
const minSimilarity = 0.02

/** Smoothing: this many unshared books are added to each library, as a few hits prove little. */
const doubt = 5

/** A reader's public books, one row for each shelf they are on. */
const onPublicShelves = (books: RawBuilder<unknown>) =>
  sql`${books} JOIN bookshelves h ON h.id = t.shelf AND h.visibility = 'public' AND t."isPrivate" = FALSE`

/**
 * Lists the readers whose public shelves are most like a reader's, nearest first; on a large site
 * at most {@link circleReaders}. Private shelves and profiles don't count on either side.
 *
 * @param viewer id; their own profile may be private
 * @param found a condition on `u`, the other reader
 * @returns ids with what they have in common, and the total of all pages
 */
export async function similarReaders(
  database: Database,
  viewer: string,
  page: number,
  found: RawBuilder<unknown> = sql`TRUE`,
): Promise<{ total: number; readers: Map<string, Taste> }> {
  const nearest = await query(
    database,
    sql`${nearestReaders(viewer)} SELECT near."user", COUNT(*) OVER () FROM near
      JOIN users u ON u.id = near."user" WHERE ${found} ORDER BY near.nearness DESC, near."user"
      LIMIT ${sql.lit(directoryPageSize)} OFFSET ${(page - 1) * directoryPageSize}`,
    { id: text, total: number },
  )
  const ids = nearest.map(({ id }) => id)
  return { total: nearest[0]?.total ?? 0, readers: await tasteOf(database, viewer, ids) }
}

/**
 * Common table expressions up to `near`: other readers with a public profile, and how near they
 * are.
 *
 * `met` finds readers of the reader's books, and `circle` compares the likeliest book by book: the
 * fewer readers a book has and the closer the two ratings, the more it counts. `fit` then prefers
 * readers whose other loved books are loved by many of the circle. Each step reads a fixed number
 * of rows, however large the site. `npm run bench -- taste` measures it on real ratings.
 */
export function nearestReaders(viewer: string): RawBuilder<unknown> {
  const end = (side: RawBuilder<unknown>, order: RawBuilder<unknown>, last: RawBuilder<unknown>) =>
    sql`COALESCE((SELECT o."user" FROM user_books o
      WHERE o.book_key = known.book_key AND o."user" ${side} ${viewer}
      ORDER BY o."user" ${order} LIMIT 1 OFFSET (SELECT ${sql.lit(askedReaders / 2)} / COUNT(*) FROM known)), ${last})`
  const alike = (mine: RawBuilder<unknown>, theirs: RawBuilder<unknown>) =>
    sql`CASE WHEN ${mine} > 0 AND ${theirs} > 0
      THEN 1 - ABS(${mine} - ${theirs}) / ${sql.lit(farthest)}.0 ELSE 0.5 END`
  const leastLoved = (what: RawBuilder<unknown>) =>
    sql`(SELECT ${what} FROM ${onPublicShelves(sql`user_books t`)}
      WHERE t."user" = near."user" AND t.rating >= ${sql.lit(lovedFrom)}
      ORDER BY t.rating DESC, t.id LIMIT 1 OFFSET ${sql.lit(lovedBooks - 1)})`
  const lovedWhere = (which: RawBuilder<unknown>) =>
    sql`SELECT circle."user", circle.closeness, t.book_key
      FROM circle CROSS JOIN ${onPublicShelves(sql`user_books t`)}
      WHERE t."user" = circle."user" AND ${which}`
  return sql`WITH mine AS MATERIALIZED (
      SELECT t.book_key, MAX(t.rating) AS rating
      FROM ${onPublicShelves(sql`user_books t`)} WHERE t."user" = ${viewer}
      GROUP BY t.book_key
    ), known AS MATERIALIZED (
      SELECT best.book_key, best.rating, 1 / SQRT(SQRT((SELECT COUNT(*) FROM (SELECT 1
          FROM user_books o WHERE o.book_key = best.book_key
          LIMIT ${sql.lit(maxReaders)}) readers))) AS weight
      FROM (SELECT * FROM mine ORDER BY rating DESC, book_key LIMIT ${sql.lit(comparedBooks)}) best
    ), asked AS MATERIALIZED (
      SELECT known.*, ${end(sql`<`, sql`DESC`, sql`''`)} AS since,
        ${end(sql`>`, sql``, sql`'~'`)} AS until
      FROM known
    ), met AS MATERIALIZED (
      SELECT t."user" FROM asked CROSS JOIN ${onPublicShelves(sql`user_books t`)}
        JOIN settings s ON s."user" = t."user" AND ${isPublicProfile(sql`s`)}
      WHERE t.book_key = asked.book_key AND t."user" BETWEEN asked.since AND asked.until
        AND t."user" <> ${viewer}
      GROUP BY t."user"
      ORDER BY MIN(asked.book_key) = MAX(asked.book_key),
        SUM(asked.weight * ${alike(sql`asked.rating`, sql`t.rating`)}) DESC, t."user"
      LIMIT ${sql.lit(metReaders)}
    ), shared AS (
      SELECT t."user", known.weight, known.rating AS mine, MAX(t.rating) AS theirs
      FROM met CROSS JOIN known CROSS JOIN ${onPublicShelves(sql`user_books t`)}
      WHERE t.book_key = known.book_key AND t."user" = met."user"
      GROUP BY t."user", known.book_key, known.rating, known.weight
    ), circle AS MATERIALIZED (
      SELECT near.*, ${leastLoved(sql`t.rating`)} AS least, ${leastLoved(sql`t.id`)} AS last
      FROM (SELECT "user", SUM(weight * ${alike(sql`mine`, sql`theirs`)}) AS closeness
        FROM shared GROUP BY "user" HAVING COUNT(*) >= ${sql.lit(minCommonBooks)}
        ORDER BY 2 DESC, "user" LIMIT ${sql.lit(circleReaders)}) near
    ), loved AS MATERIALIZED (
      SELECT "user", closeness, book_key FROM (
        ${lovedWhere(sql`t.rating > COALESCE(circle.least, ${sql.lit(lovedFrom - 0.25)})`)}
        UNION ALL ${lovedWhere(sql`t.rating = circle.least AND t.id <= circle.last`)}) best
      WHERE book_key NOT IN (SELECT book_key FROM mine)
      GROUP BY "user", closeness, book_key
    ), votes AS MATERIALIZED (
      SELECT book_key, SUM(closeness) AS votes FROM loved GROUP BY book_key
    ), fit AS MATERIALIZED (
      SELECT loved."user", SUM(votes.votes - loved.closeness) / (COUNT(*) + ${sql.lit(doubt)}) AS fit
      FROM loved JOIN votes ON votes.book_key = loved.book_key GROUP BY loved."user"
    ), near AS (
      SELECT circle."user", circle.closeness * (${sql.lit(minSimilarity)}
        + COALESCE(fit.fit, 0) / (SELECT SUM(closeness) FROM circle)) AS nearness
      FROM circle LEFT JOIN fit ON fit."user" = circle."user"
    )`
}

/** What two readers have in common, over all their public books. */
async function tasteOf(
  database: Database,
  viewer: string,
  others: readonly string[],
): Promise<Map<string, Taste>> {
  if (others.length === 0) return new Map()
  const books = (whose: RawBuilder<unknown>) =>
    sql`SELECT t."user", t.book_key, MAX(t.rating) AS rating, MIN(t.title) AS title
      FROM ${onPublicShelves(sql`user_books t`)} WHERE t."user" ${whose}
      GROUP BY t."user", t.book_key`
  const rows = await query(
    database,
    sql`WITH mine AS MATERIALIZED (${books(sql`= ${viewer}`)})
      SELECT "user", common, title, alike FROM (
        SELECT pair.*, COUNT(*) OVER (PARTITION BY pair."user") AS common,
          ROW_NUMBER() OVER (PARTITION BY pair."user" ORDER BY pair.alike DESC, pair.title) AS place
        FROM (SELECT theirs."user", mine.title,
            CASE WHEN mine.rating = theirs.rating THEN mine.rating ELSE 0 END AS alike
          FROM mine JOIN (${books(sql`IN (${sql.join(others)})`)}) theirs
            ON theirs.book_key = mine.book_key) pair) best
      WHERE place = 1`,
    { user: text, in_common: number, title: text, rating: number },
  )
  const found = new Map(
    rows.map(({ user, in_common, title, rating }) => [
      user,
      { in_common, both_gave: rating >= lovedFrom ? { title, rating } : null },
    ]),
  )
  return new Map(others.map((id) => [id, found.get(id) ?? { in_common: 0, both_gave: null }]))
}

/** Books with at least four of five stars are named. */
const lovedFrom = 8
