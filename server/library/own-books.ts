import { sql, type RawBuilder } from 'kysely'
import type { Database, Row } from '#records/index.ts'
import { query, textList } from '#server/query.ts'
import type { OwnBook } from '#shared/suggestion.ts'
import { foldText } from '#shared/text.ts'
import { statuses } from '#shared/user-book.ts'

/** Rows that are compared letter by letter, those changed last. */
const mostRead = 200
const mostWords = 12

/**
 * Books of one reader whose title or authors have words that begin with those given, in any order
 * and without regard to accents. Nobody else's are read, and a book on several shelves is one.
 *
 * @param user whose books
 * @param text what is being typed
 * @returns titles that begin with the text first, then what was changed last
 */
export async function findOwnBooks(
  database: Database,
  user: string,
  text: string,
  most: number,
): Promise<OwnBook[]> {
  const typed = foldText(text)
  const words = typed.split(' ').filter(Boolean).slice(0, mostWords)
  if (words.length === 0) return []
  const all = (pattern: (word: string) => string) =>
    sql.join(
      words.map((word) => found(database, pattern(word))),
      sql` AND `,
    )
  const rows = await query(
    database,
    sql`SELECT b.book_key, b.id, b.title, b.authors, b.isbn, b.image, b.images, b.status,
        b.progress, b.progress_percent, b.page_count
      FROM user_books b WHERE b."user" = ${user} AND ${all(vague)}
      ORDER BY CASE WHEN ${all((word) => word)} THEN 0 ELSE 1 END, b.updated DESC, b.id
      LIMIT ${sql.lit(mostRead)}`,
  )
  const distinct = new Map<string, OwnBook>()
  for (const row of rows) {
    const key = String(row[0])
    if (distinct.has(key)) continue
    const book = toOwnBook(row)
    if (hasWords(book, words)) distinct.set(key, book)
  }
  const later = ({ title }: OwnBook) => (foldText(title).startsWith(typed) ? 0 : 1)
  return [...distinct.values()].sort((a, b) => later(a) - later(b)).slice(0, most)
}

function found({ dialect }: Database, word: string): RawBuilder<unknown> {
  const pattern = sql`${`%${word}%`}`
  return sql`(${dialect.like(sql`b.title`, pattern)} OR ${dialect.like(sql`b.authors`, pattern)})`
}

/** Letters that are written with a mark as well, or in another case than LIKE knows, are left open. */
function vague(word: string): string {
  return word.replace(/[acegilnosuyz]|(?!\p{ASCII})[\p{Ll}\p{M}]/gu, '_')
}

/** Scripts without spaces have no beginning of a word. */
function hasWords({ title, authors }: OwnBook, words: readonly string[]): boolean {
  const text = ` ${foldText([title, ...authors].join(' '))}`
  return words.every((word) => text.includes(/\p{Lo}/u.test(word) ? word : ` ${word}`))
}

function toOwnBook(row: Row): OwnBook {
  const [, id, title, authors, isbn, image, images, said] = row.map(String) as [
    ...[string, string, string, string, string, string, string, string],
  ]
  const [progress = 0, progress_percent = 0, page_count = 0] = row.slice(8).map(Number)
  const status = statuses.find((one) => one === said) ?? 'planning'
  const lists = { authors: textList(authors), images: textList(images) }
  return { id, title, isbn, image, status, progress, progress_percent, page_count, ...lists }
}
