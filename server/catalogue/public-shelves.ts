import { sql } from 'kysely'
import type { Logger } from 'pino'
import { setTimeout } from 'node:timers/promises'
import {
  minReaders,
  countCoReads,
  type Catalogue,
  type ReaderCounts,
  type CoReads,
} from '#catalogue/index.ts'
import type { Database } from '#records/index.ts'
import { isPublicProfile } from '#server/library/profile.ts'
import { query } from '#server/query.ts'

/** Popularity changes slowly. Milliseconds. */
const refreshInterval = 6 * 3_600_000
/** Rows read at once unless told, so that others get their turn. */
const slice = 500
/** Milliseconds of rest after some of work: requests find the server free most of the time. */
const rest = 20

/** What `bookKey` makes of a book with an ISBN. */
const isbn13 = /^\d{13}$/

/**
 * The books of each reader that everybody may see, by ISBN-13: those on public shelves of public
 * profiles. What is on private shelves, or belongs to a reader who hides the profile or has no
 * settings, is not read.
 *
 * @returns the libraries in parts, each library whole
 */
export async function* publicLibraries(
  database: Database,
  rowsAtOnce = slice,
  signal?: AbortSignal,
): AsyncGenerator<string[][]> {
  let [lastUser, lastBook] = ['', '']
  let library = new Set<string>()
  for (;;) {
    const rows = await query(database, publicBooks(lastUser, lastBook, rowsAtOnce))
    const libraries: string[][] = []
    const end = () => {
      if (library.size > 0) libraries.push([...library])
      library = new Set()
    }
    for (const [user, bookKey] of rows) {
      if (user !== lastUser) end()
      ;[lastUser, lastBook] = [String(user), String(bookKey)]
      if (isbn13.test(lastBook)) library.add(lastBook)
    }
    const isOver = rows.length < rowsAtOnce
    if (isOver) end()
    yield libraries
    if (isOver) return
    await setTimeout(rest, undefined, { signal })
  }
}

/**
 * Reader by reader, so that who is hidden is asked once for all their books. The shelf is asked for in
 * a value of its own: as a table, SQLite would read all shelves before each slice.
 */
function publicBooks(lastUser: string, lastBook: string, max: number) {
  return sql`SELECT b."user", b.book_key FROM settings s CROSS JOIN user_books b
    WHERE s."user" >= ${lastUser} AND ${isPublicProfile(sql`s`)}
      AND b."user" = s."user" AND (b."user", b.book_key) > (${lastUser}, ${lastBook})
      AND b."isPrivate" = FALSE
      AND (SELECT h.visibility FROM bookshelves h WHERE h.id = b.shelf) = 'public'
    ORDER BY s."user", b.book_key LIMIT ${sql.lit(max)}`
}

const isOnPublicShelf = sql`(b."isPrivate" = FALSE AND EXISTS (SELECT 1 FROM bookshelves h
  WHERE h.id = b.shelf AND h.visibility = 'public'))`

/** Readers of one book who are looked at when it is asked for: of so many, one more says little. */
const maxCompared = 200

/**
 * How many readers have a book and each of others where everybody may see them, now.
 *
 * @param isbn13 of the book; at most 200 of its readers are looked at
 * @returns by the other's ISBN-13; those that nobody has as well are left out
 */
async function readersInCommon(
  database: Database,
  isbn13: string,
  others: readonly string[],
): Promise<Map<string, number>> {
  if (others.length === 0) return new Map()
  const rows = await query(
    database,
    sql`SELECT b.book_key, COUNT(DISTINCT b."user")
      FROM (SELECT DISTINCT b."user" FROM user_books b
          WHERE b.book_key = ${isbn13} AND ${isOnPublicShelf}
            AND EXISTS (SELECT 1 FROM settings s WHERE s."user" = b."user" AND ${isPublicProfile(sql`s`)})
          LIMIT ${sql.lit(maxCompared)}) r
        JOIN user_books b ON b."user" = r."user" AND b.book_key IN (${sql.join(others)})
      WHERE ${isOnPublicShelf} GROUP BY b.book_key`,
  )
  return new Map(rows.map(([key, readers]) => [String(key), Number(readers)]))
}

/** Another book, and how many readers have both where everybody may see it. */
interface Neighbour {
  isbn13: string
  readers: number
}

/** What readers shelve together. Which books are near is as it was counted last. */
export interface CoReadsOfReaders {
  /**
   * @returns the nearest first, those that two readers have in common where everybody may see it
   * now: what was made private since the count is no longer in it; none before the first count
   */
  with(isbn13: string): Promise<readonly Neighbour[]>
  /**
   * @param signal ends the count, which then fails
   * @returns how many readers have each book
   */
  count(signal?: AbortSignal): Promise<ReaderCounts>
}

/** @param database what is on private shelves or belongs to private profiles is not read */
export function openCoReads(database: Database): CoReadsOfReaders {
  let counted: CoReads | undefined
  return {
    async with(isbn13) {
      const near = (counted?.near(isbn13) ?? []).map((one) => one.isbn13)
      const now = await readersInCommon(database, isbn13, near)
      return near.flatMap((other) => {
        const readers = now.get(other) ?? 0
        return readers < minReaders ? [] : [{ isbn13: other, readers }]
      })
    },
    async count(signal) {
      counted = await countCoReads(publicLibraries(database, slice, signal), signal)
      return counted.shelved
    },
  }
}

/** Tells the catalogue what readers shelve, at the start and now and then. @returns what stops it */
export function rankByShelves(
  catalogue: Pick<Catalogue, 'setShelved'>,
  coReads: CoReadsOfReaders,
  log: Logger,
): () => void {
  const over = new AbortController()
  const rank = () => {
    coReads
      .count(over.signal)
      .then((shelved) => (over.signal.aborted ? undefined : catalogue.setShelved(shelved)))
      .catch(
        (error: unknown) =>
          over.signal.aborted || log.error({ err: error }, 'shelves could not be counted'),
      )
  }
  rank()
  const timer = setInterval(rank, refreshInterval).unref()
  return () => {
    over.abort()
    clearInterval(timer)
  }
}
