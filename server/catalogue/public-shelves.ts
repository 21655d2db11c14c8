import { sql } from 'kysely'
import type { Logger } from 'pino'
import { setTimeout } from 'node:timers/promises'
import { leastReaders, shelvedTogether, type Catalogue, type Neighbour } from '#catalogue/index.ts'
import type { Database } from '#records/index.ts'
import { isPublicProfile } from '#server/library/profile.ts'
import { query } from '#server/query.ts'
import { toIsbn13 } from '#shared/isbn.ts'

/** Popularity changes slowly. Milliseconds. */
const everyHours = 6 * 3_600_000
/** Below these, a book's place among millions hardly changes. */
const mostBooks = 200_000
/** Rows read at once unless told, so that others get their turn. */
const slice = 500
/** Rows in all, beyond which few readers count. */
const mostRows = 500_000

/** Milliseconds of rest after some of work: requests find the server free most of the time. */
const rest = 20

const isOnPublicShelf = sql`EXISTS (SELECT 1 FROM bookshelves h
  WHERE h.id = b.shelf AND h.visibility = 'public')`

/** Of a book `b` with an ISBN: on a public shelf, and of a reader whom everybody may see. */
const isForEverybody = sql`b.isbn <> '' AND ${isOnPublicShelf}
  AND EXISTS (SELECT 1 FROM settings s WHERE s."user" = b."user" AND ${isPublicProfile(sql`s`)})`

/**
 * How many readers have each book on a public shelf of a public profile, by ISBN-13. What is on
 * private shelves, or belongs to a reader who hides the profile or has no settings, counts nowhere.
 */
export async function publicReaders(
  database: Database,
  rowsAtOnce = slice,
): Promise<Map<string, number>> {
  let readers = new Map<string, number>()
  for (let last = ''; ;) {
    const rows = await query(
      database,
      sql`SELECT b.book_key, MIN(b.isbn), COUNT(DISTINCT b."user")
        FROM user_books b WHERE b.book_key > ${last} AND ${isForEverybody}
        GROUP BY b.book_key ORDER BY b.book_key LIMIT ${sql.lit(rowsAtOnce)}`,
    )
    for (const [bookKey, isbn, count] of rows) {
      last = String(bookKey)
      const isbn13 = toIsbn13(String(isbn))
      if (isbn13 !== null) readers.set(isbn13, (readers.get(isbn13) ?? 0) + Number(count))
    }
    const isOver = rows.length < rowsAtOnce
    if (readers.size > (isOver ? mostBooks : 2 * mostBooks)) readers = mostRead(readers)
    if (isOver) return readers
    await setTimeout(rest)
  }
}

function mostRead(readers: Map<string, number>): Map<string, number> {
  const sorted = [...readers].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
  return new Map(sorted.slice(0, mostBooks))
}

/**
 * The books of each reader that everybody may see, by ISBN-13: those on public shelves of public
 * profiles. Readers with one book are left out, they have nothing together.
 */
export async function publicLibraries(database: Database, rowsAtOnce = slice): Promise<string[][]> {
  const libraries = new Map<string, Set<string>>()
  let [lastUser, lastBook] = ['', '']
  for (let read = 0; read < mostRows; read += rowsAtOnce) {
    const rows = await query(
      database,
      sql`SELECT b."user", b.book_key, MIN(b.isbn) FROM user_books b
        WHERE (b."user", b.book_key) > (${lastUser}, ${lastBook}) AND ${isForEverybody}
        GROUP BY b."user", b.book_key ORDER BY b."user", b.book_key LIMIT ${sql.lit(rowsAtOnce)}`,
    )
    for (const [user, bookKey, isbn] of rows) {
      ;[lastUser, lastBook] = [String(user), String(bookKey)]
      const isbn13 = toIsbn13(String(isbn))
      if (isbn13 === null) continue
      const books = libraries.get(lastUser) ?? new Set()
      libraries.set(lastUser, books.add(isbn13))
    }
    if (rows.length < rowsAtOnce) break
    await setTimeout(rest)
  }
  return [...libraries.values()].filter((books) => books.size > 1).map((books) => [...books])
}

/** Readers of one book who are looked at when it is asked for: of so many, one more says little. */
const mostCompared = 200

/**
 * How many readers have a book and each of others where everybody may see them, now.
 *
 * @param isbn13 of the book; at most 200 of its readers are looked at
 * @returns by the other's ISBN-13; those that nobody has as well are left out
 */
export async function readersInCommon(
  database: Database,
  isbn13: string,
  others: readonly string[],
): Promise<Map<string, number>> {
  if (others.length === 0) return new Map()
  const rows = await query(
    database,
    sql`SELECT b.book_key, COUNT(DISTINCT b."user")
      FROM (SELECT DISTINCT b."user" FROM user_books b
          WHERE b.book_key = ${isbn13} AND ${isForEverybody} LIMIT ${sql.lit(mostCompared)}) r
        JOIN user_books b ON b."user" = r."user" AND b.book_key IN (${sql.join(others)})
      WHERE ${isOnPublicShelf} GROUP BY b.book_key`,
  )
  return new Map(rows.map(([key, readers]) => [String(key), Number(readers)]))
}

/** What readers shelve together. Which books are near is as it was counted last. */
export interface Together {
  /**
   * @returns the nearest first, those that two readers have in common where everybody may see it
   * now: what was made private since the count is no longer in it; none before the first count
   */
  with(isbn13: string): Promise<readonly Neighbour[]>
  count(): Promise<void>
}

/** @param database what is on private shelves or belongs to private profiles is not read */
export function openTogether(database: Database): Together {
  let counted = new Map<string, Neighbour[]>()
  return {
    async with(isbn13) {
      const near = counted.get(isbn13) ?? []
      const others = near.map((one) => one.isbn13)
      const now = await readersInCommon(database, isbn13, others)
      return near.flatMap((one) => {
        const readers = now.get(one.isbn13) ?? 0
        return readers < leastReaders ? [] : [{ ...one, readers }]
      })
    },
    async count() {
      counted = await shelvedTogether(await publicLibraries(database), () => setTimeout(rest))
    },
  }
}

/** Tells the catalogue what readers shelve, at the start and now and then. @returns what stops it */
export function rankByShelves(
  database: Database,
  catalogue: Pick<Catalogue, 'setShelved'>,
  together: Together,
  log: Logger,
): () => void {
  let isOver = false
  const rank = () => {
    publicReaders(database)
      .then((readers) => (isOver ? undefined : catalogue.setShelved(readers)))
      .then(() => (isOver ? undefined : together.count()))
      .catch(
        (error: unknown) => isOver || log.error({ err: error }, 'shelves could not be counted'),
      )
  }
  rank()
  const timer = setInterval(rank, everyHours).unref()
  return () => {
    isOver = true
    clearInterval(timer)
  }
}
