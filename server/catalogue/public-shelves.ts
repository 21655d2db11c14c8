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
import { number, text, type Database } from '#records/index.ts'
import { isPublicProfile } from '#server/collections/profile-rows.ts'
import { runEvery, type JobRunner } from '#server/runtime/jobs.ts'
import { query } from '#server/storage/query.ts'

/** Milliseconds; popularity changes slowly. */
const refreshInterval = 6 * 3_600_000
/** Rows in one read, so that other requests get their turn. */
const slice = 500
/** Milliseconds of pause between slices, so that the server is mostly free for requests. */
const rest = 20

/** The `bookKey` of a book with an ISBN. */
const isbn13 = /^\d{13}$/

/**
 * Reads each reader's public books, by ISBN-13: those on public shelves of public profiles. Private
 * shelves, private profiles and readers without settings are skipped.
 *
 * @returns the libraries in batches; a library is never split
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
 * Goes reader by reader, so that a profile's privacy is checked once for all its books. The shelf
 * is a subquery: in a join, SQLite would read all shelves before each slice.
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

/** The most readers of one book that are compared; more would change little. */
const maxCompared = 200

/**
 * Counts the readers who have a book and each of some others on public shelves, now.
 *
 * @param isbn13 of the book; at most 200 of its readers are compared
 * @returns counts by the other book's ISBN-13, without zeros
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
    { key: text, readers: number },
  )
  return new Map(rows.map(({ key, readers }) => [key, readers]))
}

/** Another book, and how many readers have both on public shelves. */
interface Neighbour {
  isbn13: string
  readers: number
}

/** Which books readers shelve together, as of the last count. */
export interface CoReadsOfReaders {
  /**
   * @returns the nearest books first, of those that at least two readers now have on public
   *   shelves: books made private since the count are left out. Empty before the first count
   */
  with(isbn13: string): Promise<readonly Neighbour[]>
  /**
   * @param signal aborts the count
   * @returns the number of readers of each book
   */
  count(signal?: AbortSignal): Promise<ReaderCounts>
}

/** @param database only public shelves of public profiles are read */
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

/** Updates the catalogue's popularity, at the start and every few hours. */
export function rankByShelves(
  catalogue: Pick<Catalogue, 'setShelved'>,
  coReads: CoReadsOfReaders,
  log: Logger,
): JobRunner {
  const rank = async (signal: AbortSignal) => {
    const shelved = await coReads.count(signal)
    if (!signal.aborted) await catalogue.setShelved(shelved)
  }
  return runEvery(refreshInterval, rank, (error) =>
    log.error({ err: error }, 'shelves could not be counted'),
  )
}
