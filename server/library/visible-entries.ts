import { sql } from 'kysely'
import { named, perTransaction, prepared, text, texts } from '#records/index.ts'
import type { LibraryTransaction, Stored } from '#server/collections/stored.ts'
import { lockTotals } from '#server/collections/locks.ts'
import type { BookFacts } from './reading-facts.ts'
import { updateRows } from './update-rows.ts'

/**
 * Readings and quotes store in `visible` whether others can see their book, so that a list costs a
 * visitor what it shows and not what its reader hides. Whether the profile is public stays with the
 * rules.
 */
const collections = ['readings', 'quotes'] as const

/** Books with entries that a transaction added, by reader and key. */
const addedTo = perTransaction(() => new Set<string>())

const keyOf = (user: string, key: string) => `${user} ${key}`

/**
 * Sets `visible` of a new or restored entry.
 *
 * @returns the copy of its book that describes it; null if the reader has none
 */
export async function setVisible(
  tx: LibraryTransaction,
  entry: Stored<'readings'> | Stored<'quotes'>,
): Promise<BookFacts | null> {
  const { user, book_key } = entry
  noteEntries(tx, user, book_key)
  await lockTotals(tx, user)
  const [row] = await describingCopy(tx, { user, book_key })
  entry.visible = Boolean(row?.[0])
  if (!row) return null
  const [, ...facts] = row
  return named([facts], columnsOfFacts)[0] ?? null
}

/** @returns whether a transaction added entries of the book */
export function hasNewEntries(tx: LibraryTransaction, user: string, key: string): boolean {
  return addedTo(tx).has(keyOf(user, key))
}

/** Notes that a book got entries, whose `visible` may be that of another book or moment. */
export function noteEntries(tx: LibraryTransaction, user: string, key: string): void {
  addedTo(tx).add(keyOf(user, key))
}

/**
 * Shows or hides the entries of books that others can see now and couldn't before, or the other way
 * round.
 *
 * @param before the keys of the books that others could see
 * @param after those that they can see now
 * @param keys of all books that may have changed
 */
export async function updateVisible(
  tx: LibraryTransaction,
  user: string,
  { before, after, keys }: Readonly<Record<'before' | 'after' | 'keys', ReadonlySet<string>>>,
): Promise<void> {
  const changed = [...keys].filter(
    (key) => before.has(key) !== after.has(key) || hasNewEntries(tx, user, key),
  )
  for (const isVisible of [true, false]) {
    const some = changed.filter((key) => after.has(key) === isVisible)
    if (!some.length) continue
    for (const table of collections)
      await updateRows(
        tx,
        table,
        sql`"user" = ${user} AND book_key IN (${sql.join(some)})
          AND visible = ${sql.lit(!isVisible)}`,
        (ids) => sql`UPDATE ${sql.table(table)} SET visible = ${sql.lit(isVisible)} WHERE ${ids}`,
      )
  }
}

const columnsOfFacts = {
  title: text,
  authors: texts,
  genres: texts,
  language: text,
  published: text,
  series: text,
}

/** See `describing` in ./reading-facts.ts. */
const describingCopy = prepared<Record<'user' | 'book_key', unknown>>(
  (value) => sql`SELECT CASE WHEN h.visibility = 'public' AND b."isPrivate" = FALSE
      THEN 1 ELSE 0 END, b.title, b.authors, b.genres, b.language, b.published, b.series
    FROM user_books b JOIN bookshelves h ON h.id = b.shelf
    WHERE b."user" = ${value('user')} AND b.book_key = ${value('book_key')}
    ORDER BY 1 DESC, b.created, b.id LIMIT 1`,
)
