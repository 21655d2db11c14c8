import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Catalogue } from '#catalogue/index.ts'
import type { Database } from '#records/index.ts'
import { isPublicProfile } from '#server/library/profile.ts'
import { query } from '#server/query.ts'
import { toIsbn13 } from '#shared/isbn.ts'

/** Popularity changes slowly. Milliseconds. */
const everyHours = 6 * 3_600_000
/** Below these, a book's place among millions hardly changes. */
const mostBooks = 200_000

/**
 * How many readers have each book on a public shelf of a public profile, by ISBN-13. What is on
 * private shelves, or belongs to a reader who hides the profile or has no settings, counts nowhere.
 */
export async function publicReaders(database: Database): Promise<Map<string, number>> {
  const rows = await query(
    database,
    sql`SELECT MIN(b.isbn) AS isbn, COUNT(DISTINCT b."user") AS readers
      FROM user_books b JOIN bookshelves h ON h.id = b.shelf AND h.visibility = 'public'
      JOIN settings s ON s."user" = b."user" AND ${isPublicProfile(sql`s`)}
      WHERE b.isbn <> '' GROUP BY b.book_key ORDER BY readers DESC, b.book_key LIMIT ${sql.lit(mostBooks)}`,
  )
  const readers = new Map<string, number>()
  for (const [isbn, count] of rows) {
    const isbn13 = toIsbn13(String(isbn))
    if (isbn13 !== null) readers.set(isbn13, (readers.get(isbn13) ?? 0) + Number(count))
  }
  return readers
}

/** Tells the catalogue what readers shelve, at the start and now and then. @returns what stops it */
export function rankByShelves(
  database: Database,
  catalogue: Pick<Catalogue, 'setShelved'>,
  log: Logger,
): () => void {
  let isOver = false
  const rank = () => {
    publicReaders(database)
      .then((readers) => (isOver ? undefined : catalogue.setShelved(readers)))
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
