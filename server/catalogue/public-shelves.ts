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

/** Rows read at once, so that others get their turn; and in all, beyond which few readers count. */
const rowsAtOnce = 2000
const mostRows = 500_000

// Read from an index alone, each time from where the last rows ended: what has an ISBN has it as
// its key, and any other key has a bar in it.
const isSeen = sql`b.book_key NOT LIKE '%|%' AND EXISTS (SELECT 1 FROM bookshelves h
  JOIN settings s ON s."user" = b."user" AND ${isPublicProfile(sql`s`)}
  WHERE h.id = b.shelf AND h.visibility = 'public')`

/**
 * How many readers have each book on a public shelf of a public profile, by ISBN-13. What is on
 * private shelves, or belongs to a reader who hides the profile or has no settings, counts nowhere.
 */
export async function publicReaders(database: Database): Promise<Map<string, number>> {
  const counted: [isbn13: string, readers: number][] = []
  for (let last = ''; ;) {
    const rows = await query(
      database,
      sql`SELECT b.book_key, COUNT(DISTINCT b."user") FROM user_books b
        WHERE b.book_key > ${last} AND ${isSeen}
        GROUP BY b.book_key ORDER BY b.book_key LIMIT ${sql.lit(rowsAtOnce)}`,
    )
    for (const [key, readers] of rows) {
      last = String(key)
      if (toIsbn13(last) !== null) counted.push([last, Number(readers)])
    }
    if (rows.length < rowsAtOnce) break
    await setImmediate()
  }
  return new Map(counted.sort(([, a], [, b]) => b - a).slice(0, mostBooks))
}

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
      sql`SELECT b."user", b.book_key FROM user_books b
        WHERE (b."user", b.book_key) > (${lastUser}, ${lastBook}) AND ${isSeen}
        GROUP BY b."user", b.book_key ORDER BY b."user", b.book_key LIMIT ${sql.lit(rowsAtOnce)}`,
    )
    for (const [user, bookKey] of rows) {
      ;[lastUser, lastBook] = [String(user), String(bookKey)]
      if (toIsbn13(lastBook) === null) continue
      const books = libraries.get(lastUser) ?? new Set()
      libraries.set(lastUser, books.add(lastBook))
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
