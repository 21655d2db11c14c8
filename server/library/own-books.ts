import { sql, type RawBuilder } from 'kysely'
import { foldWords, isUnspacedToken } from '#catalogue/index.ts'
import {
  type Database,
  type Row,
  type Transaction,
  named,
  number,
  text,
  texts,
} from '#records/index.ts'
import { query } from '#server/storage/query.ts'
import { parseIsbn, toIsbn10, toIsbn13 } from '#shared/isbn.ts'
import type { OwnBook } from '#shared/suggestion.ts'
import { statuses } from '#shared/user-book.ts'

/** The most rows that are read, as a book can be on several shelves. */
const maxRows = 300
const maxWords = 12

/**
 * Finds a reader's own books whose title or authors have words that begin with the given ones, in
 * any order and any spelling that the catalogue understands, or that have the given ISBN in either
 * length. A book on several shelves appears once.
 *
 * @returns titles that begin with the text first, then the latest changed
 */
export async function findOwnBooks(
  database: Database,
  user: string,
  search: string,
  max: number,
): Promise<OwnBook[]> {
  const words = foldWords(search).slice(0, maxWords)
  if (words.length === 0) return []
  const { dialect } = database
  const begins = dialect.like(sql`b.title_words`, sql`${` ${words.join(' ')}%`}`)
  const rows = await query(
    database,
    sql`SELECT ${ownBookColumns} FROM user_books b
      WHERE b."user" = ${user} AND ${hasIsbn(search) ?? hasWords(database, words)}
      ORDER BY ${begins} DESC, b.updated DESC, b.id LIMIT ${sql.lit(maxRows)}`,
  )
  const distinct = new Map<string, OwnBook>()
  for (const row of rows) distinct.getOrInsertComputed(text(row[0]!), () => toOwnBook(row))
  return [...distinct.values()].slice(0, max)
}

/** @returns the key of a reader's book with the first of some ISBNs that any has; '' if none has */
export async function bookKeyOfIsbns(
  tx: Transaction,
  user: string,
  isbns: readonly string[],
): Promise<string> {
  for (const isbn of isbns) {
    const has = hasIsbn(isbn)
    if (!has) continue
    const mine = sql`SELECT b.book_key FROM user_books b WHERE b."user" = ${user} AND ${has} LIMIT 1`
    const [found] = named(await query(tx, mine), { key: text })
    if (found) return found.key
  }
  return ''
}

/** The columns that {@link toOwnBook} reads, after the book's key. */
export const ownBookColumns = sql`b.book_key, b.id, b.title, b.authors, b.isbn, b.image, b.images,
  b.status, b.progress, b.progress_percent, b.page_count`

function hasIsbn(search: string): RawBuilder<unknown> | undefined {
  const isbn = parseIsbn(search)
  return isbn === null ? undefined : sql`b.isbn IN (${toIsbn13(isbn)}, ${toIsbn10(isbn)})`
}

/** Words match at the beginning of a word; characters of scripts without spaces match anywhere. */
function hasWords({ dialect }: Database, words: readonly string[]): RawBuilder<unknown> {
  const found = words.map((word) => {
    const pattern = sql`${isUnspacedToken(word) ? `%${word}%` : `% ${word}%`}`
    return sql`(${dialect.like(sql`b.title_words`, pattern)}
      OR ${dialect.like(sql`b.authors_words`, pattern)})`
  })
  return sql.join(found, sql` AND `)
}

/** @param row of {@link ownBookColumns} */
export function toOwnBook(row: Row): OwnBook {
  const [book] = named([row.slice(1)], {
    id: text,
    title: text,
    authors: texts,
    isbn: text,
    image: text,
    images: texts,
    status: (said) => statuses.find((one) => one === said) ?? 'planning',
    progress: number,
    progress_percent: number,
    page_count: number,
  })
  return book!
}
