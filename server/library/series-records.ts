import { sql } from 'kysely'
import type { Database } from '#records/index.ts'
import { query } from '#server/storage/query.ts'
import type { Book } from '#shared/book.ts'
import { toIsbn10, toIsbn13 } from '#shared/isbn.ts'
import { workOf } from './work.ts'

/** A book of a series, with the ISBN-13s and titles of all its editions. */
interface SeriesBook {
  book: Book
  isbns: readonly string[]
  titles: readonly string[]
}

/** Books per query, so that it never has too many values. */
const booksAtOnce = 50

/**
 * Finds a reader's records of a series' books in any edition: by ISBN, or else by the name of the
 * work, as books without an ISBN and unknown editions have no other.
 *
 * @returns the id of a record for each book, the last changed of several; '' for none
 */
export async function findSeriesRecords(
  database: Database,
  user: string,
  books: readonly SeriesBook[],
): Promise<string[]> {
  const works = distinctWorks(books)
  const found: string[] = []
  for (let from = 0; from < books.length; from += booksAtOnce) {
    const some = books.slice(from, from + booksAtOnce)
    const names = works.slice(from, from + booksAtOnce)
    const records = await recordsOf(
      database,
      user,
      some.flatMap(({ isbns }) => isbns),
      names.flat(),
    )
    const idOf = ({ isbns }: SeriesBook, n: number) =>
      records.find(({ isbn }) => isbn && isbns.includes(isbn)) ??
      records.find(({ work }) => names[n]?.includes(work))
    found.push(...some.map((book, n) => idOf(book, n)?.id ?? ''))
  }
  return found
}

async function recordsOf(
  database: Database,
  user: string,
  isbns: readonly string[],
  works: readonly string[],
): Promise<{ id: string; isbn: string; work: string }[]> {
  const both = isbns.flatMap((isbn) => [isbn, toIsbn10(isbn) ?? isbn])
  const isOne = [
    ...(both.length > 0 ? [sql`isbn IN (${sql.join(both)})`] : []),
    ...(works.length > 0 ? [sql`work IN (${sql.join(works)})`] : []),
  ]
  if (isOne.length === 0) return []
  const rows = await query(
    database,
    sql`SELECT id, isbn, work FROM user_books
      WHERE "user" = ${user} AND (${sql.join(isOne, sql` OR `)}) ORDER BY updated DESC, id`,
  )
  return rows.map(([id, isbn, work]) => ({
    id: String(id),
    isbn: toIsbn13(String(isbn)) ?? '',
    work: String(work),
  }))
}

/**
 * The works' names of each book, by all of its titles. Those that several books of the series have,
 * such as volumes that are called like the series, don't say which one is meant.
 */
function distinctWorks(books: readonly SeriesBook[]): string[][] {
  const named = books.map(({ book, titles }) => {
    const { title, subtitle, authors } = book
    const all = [title, ...(subtitle ? [`${title}: ${subtitle}`] : []), ...titles]
    return [...new Set(all.map((one) => workOf({ title: one, authors })))].filter(Boolean)
  })
  const counts = Map.groupBy(named.flat(), (name) => name)
  return named.map((names) => names.filter((name) => counts.get(name)?.length === 1))
}
