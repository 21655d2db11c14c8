import { sql } from 'kysely'
import { named, prepared, text } from '#records/index.ts'
import type { LibraryTransaction, Stored } from '#server/collections/stored.ts'
import { modify } from '#server/storage/query.ts'

type Book = Pick<Stored<'user_books'>, 'user' | 'book_key'>
type Finishes = Pick<Stored<'user_books'>, 'finished' | 'years_read'>

/** @returns when a reader's readings of a book finished it, as its records on their shelves say it */
export async function finishesOf(
  tx: LibraryTransaction,
  { user, book_key }: Book,
): Promise<Finishes> {
  const latest = named(await latestByYear(tx, { user, book_key }), { day: text })
  return { finished: latest[0]?.day ?? '', years_read: latest.map(({ day }) => day.slice(0, 4)) }
}

const finishedBefore = (user: unknown, book_key: unknown, year: unknown) => sql`
  SELECT MAX(finished) FROM readings WHERE "user" = ${user} AND book_key = ${book_key}
    AND outcome = 'finished' AND finished <> '' AND finished < ${year}`

/** From year to year by the index, as one year may have thousands of readings. */
const latestByYear = prepared<Record<'user' | 'book_key', unknown>>(
  (value) => sql`WITH RECURSIVE latest (day) AS (
      ${finishedBefore(value('user'), value('book_key'), sql.lit('99999'))}
      UNION ALL
      SELECT (${finishedBefore(value('user'), value('book_key'), sql`SUBSTR(latest.day, 1, 4)`)})
      FROM latest WHERE day IS NOT NULL
    )
    SELECT day FROM latest WHERE day IS NOT NULL`,
)

/** Writes to a reader's records of a book when its readings finished it, after one has changed. */
export async function storeFinishes(
  tx: LibraryTransaction,
  { user, book_key }: Book,
): Promise<void> {
  const { finished, years_read } = await finishesOf(tx, { user, book_key })
  const years = JSON.stringify(years_read)
  await modify(
    tx,
    'user_books',
    sql`UPDATE user_books SET finished = ${finished}, years_read = ${years}
      WHERE "user" = ${user} AND book_key = ${book_key}
        AND (finished <> ${finished} OR years_read <> ${years})`,
  )
}
