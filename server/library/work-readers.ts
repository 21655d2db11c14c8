import { setImmediate } from 'node:timers/promises'
import { sql, type RawBuilder } from 'kysely'
import { flag, number, text, type Transaction } from '#records/index.ts'
import { modify, query } from '#server/storage/query.ts'
import { isPublicProfile } from '#server/collections/profile-rows.ts'

/**
 * `work_readers` has a row for each work of a reader that everybody can see: on a public shelf of a
 * public profile and not private. `work_totals` counts these rows by rating, so that a book's page
 * costs the same with many readers as with few. Both know a work by its own name (see work.ts).
 */
interface WorkReader {
  work: string
  /** The latest rating among the reader's editions; 0 without one. */
  rating: number
  rated: string
  /** The record with the latest review; '' without one. */
  book: string
  reviewed: string
}

/** @returns where a rating counts, 1 to 10; 0 for none. It is never rounded up. */
export function ratingStep(rating: number): number {
  return rating > 0 ? Math.max(1, Math.floor(rating)) : 0
}

/**
 * Counts a reader's works anew. The reader's totals must be locked.
 *
 * @param works whose books, or whose visibility, may have changed
 */
export async function updateWorks(
  tx: Transaction,
  user: string,
  works: ReadonlySet<string>,
): Promise<void> {
  const names = [...works].filter(Boolean)
  if (!names.length) return
  const { copies, before } = await readRows(tx, user, names)
  const after = [...Map.groupBy(copies, ({ work }) => work).values()].map(latestOf)
  const gone = without(before, after)
  const added = without(after, before)
  await saveRows(tx, user, gone, added)
  await addToTotals(tx, gone, added)
}

/** Counts all of a reader's works anew, after the profile was shown or hidden. */
export async function updateAllWorks(tx: Transaction, user: string): Promise<void> {
  for (let last = ''; ;) {
    const rows = await query(
      tx,
      sql`SELECT DISTINCT work FROM user_books WHERE "user" = ${user} AND work > ${last}
        ORDER BY work LIMIT ${sql.lit(worksAtOnce)}`,
      { work: text },
    )
    const works = rows.map(({ work }) => work)
    await updateWorks(tx, user, new Set(works))
    if (works.length < worksAtOnce) return
    last = works.at(-1)!
    await setImmediate()
  }
}

/** Works counted at a time, so that other requests get their turn. */
const worksAtOnce = 200

/**
 * Reads a reader's rows of some works, and as such rows the records of these works that everybody
 * can see.
 */
async function readRows(
  tx: Transaction,
  user: string,
  works: string[],
): Promise<{ copies: WorkReader[]; before: WorkReader[] }> {
  const ofReader = (table: RawBuilder<unknown>) =>
    sql`${table}."user" = ${user} AND ${table}.work IN (${sql.join(works)})`
  const rows = await query(
    tx,
    sql`SELECT 0, r.work, r.rating, r.rated, r.book, r.reviewed FROM work_readers r
      WHERE ${ofReader(sql`r`)}
      UNION ALL SELECT 1, b.work, b.rating, b.rated, b.id, b.reviewed FROM user_books b
      JOIN bookshelves h ON h.id = b.shelf AND h.visibility = 'public'
      JOIN settings s ON s."user" = b."user" AND ${isPublicProfile(sql`s`)}
      WHERE ${ofReader(sql`b`)} AND b."isPrivate" = FALSE`,
    { isCopy: flag, work: text, rating: number, rated: text, book: text, reviewed: text },
  )
  const ofKind = (kind: boolean): WorkReader[] =>
    rows
      .filter(({ isCopy }) => isCopy === kind)
      .map(({ work, rating, rated, book, reviewed }) => ({ work, rating, rated, book, reviewed }))
  return { copies: ofKind(true), before: ofKind(false) }
}

/** One row for all copies of a work. */
function latestOf(copies: readonly WorkReader[]): WorkReader {
  const last = (date: 'rated' | 'reviewed') =>
    copies.reduce((a, b) => (a[date] > b[date] || (a[date] === b[date] && a.book > b.book) ? a : b))
  const [{ work, rating, rated }, { book, reviewed }] = [last('rated'), last('reviewed')]
  return { work, rating, rated, book: reviewed && book, reviewed }
}

/** The rows of one list that the other hasn't. */
function without(rows: readonly WorkReader[], others: readonly WorkReader[]): WorkReader[] {
  const known = new Set(others.map((row) => JSON.stringify(row)))
  return rows.filter((row) => !known.has(JSON.stringify(row)))
}

async function saveRows(
  tx: Transaction,
  user: string,
  gone: readonly WorkReader[],
  added: readonly WorkReader[],
): Promise<void> {
  const values = added.map(
    ({ work, rating, rated, book, reviewed }) =>
      sql`(${work}, ${user}, ${rating}, ${rated}, ${book}, ${reviewed})`,
  )
  if (values.length)
    await modify(
      tx,
      'work_readers',
      sql`INSERT INTO work_readers (work, "user", rating, rated, book, reviewed)
        VALUES ${sql.join(values)}
        ON CONFLICT (work, "user") DO UPDATE SET rating = excluded.rating,
          rated = excluded.rated, book = excluded.book, reviewed = excluded.reviewed`,
    )
  const kept = new Set(added.map(({ work }) => work))
  const works = gone.flatMap(({ work }) => (kept.has(work) ? [] : work))
  if (works.length)
    await modify(
      tx,
      'work_readers',
      sql`DELETE FROM work_readers WHERE "user" = ${user} AND work IN (${sql.join(works)})`,
    )
}

/** Counts rows that are gone and rows that were added, each work in the same order everywhere. */
async function addToTotals(
  tx: Transaction,
  gone: readonly WorkReader[],
  added: readonly WorkReader[],
): Promise<void> {
  const changes = new Map<string, { work: string; step: number; readers: number; total: number }>()
  const count = (rows: readonly WorkReader[], by: 1 | -1) => {
    for (const { work, rating } of rows) {
      const step = ratingStep(rating)
      const change = changes.getOrInsert(`${work} ${step}`, { work, step, readers: 0, total: 0 })
      change.readers += by
      change.total += by * rating
    }
  }
  count(gone, -1)
  count(added, 1)
  const values = [...changes]
    .filter(([, { readers, total }]) => readers || total)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { work, step, readers, total }]) => sql`(${work}, ${step}, ${readers}, ${total})`)
  if (!values.length) return
  await modify(
    tx,
    'work_totals',
    sql`INSERT INTO work_totals AS t (work, step, readers, total) VALUES ${sql.join(values)}
      ON CONFLICT (work, step) DO UPDATE
      SET readers = t.readers + excluded.readers, total = t.total + excluded.total`,
  )
}
