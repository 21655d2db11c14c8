import { sql } from 'kysely'
import type { Logger } from 'pino'
import { setImmediate } from 'node:timers/promises'
import { shelvedTogether, type Catalogue, type Neighbour } from '#catalogue/index.ts'
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

/** Rows read at once, so that others get their turn; and in all, beyond which few readers count. */
const rowsAtOnce = 2000
const mostRows = 500_000

/**
 * The books of each reader that everybody may see, by ISBN-13: those on public shelves of public
 * profiles. Readers with one book are left out, they have nothing together.
 */
export async function publicLibraries(database: Database): Promise<string[][]> {
  const libraries = new Map<string, Set<string>>()
  let [lastUser, lastBook] = ['', '']
  for (let read = 0; read < mostRows; read += rowsAtOnce) {
    const rows = await query(
      database,
      sql`SELECT b."user", b.book_key, MIN(b.isbn)
        FROM user_books b JOIN bookshelves h ON h.id = b.shelf AND h.visibility = 'public'
        JOIN settings s ON s."user" = b."user" AND s."isPrivate" = FALSE
        WHERE b.isbn <> '' AND (b."user" > ${lastUser} OR (b."user" = ${lastUser} AND b.book_key > ${lastBook}))
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
    await setImmediate()
  }
  return [...libraries.values()].filter((books) => books.size > 1).map((books) => [...books])
}

/** What readers shelve together, as it was counted last. */
export interface Together {
  /** @returns the nearest first; none before the first count */
  with(isbn13: string): readonly Neighbour[]
  count(): Promise<void>
}

/** @param database what is on private shelves or belongs to private profiles is not read */
export function openTogether(database: Database): Together {
  let counted = new Map<string, Neighbour[]>()
  return {
    with: (isbn13) => counted.get(isbn13) ?? [],
    async count() {
      counted = await shelvedTogether(await publicLibraries(database), () => setImmediate())
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
