import { sql, type RawBuilder } from 'kysely'
import { foldTitle, foldWords, indexText, isUnspacedToken } from '#catalogue/index.ts'
import type { Database, Row } from '#records/index.ts'
import { query, textList } from '#server/query.ts'
import type { OwnBook } from '#shared/suggestion.ts'
import { statuses } from '#shared/user-book.ts'

/** Rows that are compared letter by letter: with most words as printed, then those changed last. */
const maxResults = 300
const maxWords = 12

/**
 * Books of one reader whose title or authors have words that begin with those given, in any order
 * and written in any way that the catalogue understands too. Nobody else's are read, and a book on
 * several shelves is one.
 *
 * @param user whose books
 * @param text what is being typed
 * @returns titles that begin with the text first, then what was changed last
 */
export async function findOwnBooks(
  database: Database,
  user: string,
  text: string,
  max: number,
): Promise<OwnBook[]> {
  const words = foldWords(text).slice(0, maxWords)
  if (words.length === 0) return []
  const each = (holds: (word: string) => RawBuilder<unknown>, between: RawBuilder<unknown>) =>
    sql.join(words.map(holds), between)
  const { dialect } = database
  const printed = (word: string) => isIn((column) => dialect.like(column, sql`${`%${word}%`}`))
  const asPrinted = (word: string) =>
    sql`CASE WHEN ${printed(word)} OR ${printed(capital(word))} THEN 1 ELSE 0 END`
  const rows = await query(
    database,
    sql`SELECT ${ownBookColumns}
      FROM user_books b
      WHERE b."user" = ${user} AND ${each((word) => mayHold(database, word), sql` AND `)}
      ORDER BY ${each(asPrinted, sql` + `)} DESC, b.updated DESC, b.id
      LIMIT ${sql.lit(maxResults)}`,
  )
  const distinct = new Map<string, OwnBook>()
  for (const row of rows) {
    const key = String(row[0])
    if (distinct.has(key)) continue
    const book = toOwnBook(row)
    if (hasWords(book, words)) distinct.set(key, book)
  }
  const typed = foldTitle(text)
  const later = ({ title }: OwnBook) => (foldTitle(title).startsWith(typed) ? 0 : 1)
  return [...distinct.values()].sort((a, b) => later(a) - later(b)).slice(0, max)
}

/** What {@link toOwnBook} reads, behind the key of the book. */
export const ownBookColumns = sql`b.book_key, b.id, b.title, b.authors, b.isbn, b.image, b.images,
  b.status, b.progress, b.progress_percent, b.page_count`

function isIn(holds: (column: RawBuilder<unknown>) => RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(${holds(sql`b.title`)} OR ${holds(sql`b.authors`)})`
}

/** What is behind the first letter has no case in titles, and LIKE knows that of ASCII only. */
function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

/**
 * Whether a row may hold the word, so that not all are read: its letters in their order, whatever
 * stands between them; beside letters with marks, or of other scripts, only those that have none.
 */
function mayHold({ dialect }: Database, word: string): RawBuilder<unknown> {
  const written = sql`${subsequencePattern(word, /[a-z0-9\p{Script=Han}\p{Script=Hangul}]/gu)}`
  const unmarked = sql`${subsequencePattern(word, /[bfmpqvx\p{Script=Han}\p{Script=Hangul}]/gu)}`
  return isIn(
    (column) => sql`(${dialect.like(column, written)} OR
      octet_length(${column}) > length(${column}) AND ${dialect.like(column, unmarked)})`,
  )
}

/** What the catalogue reads for & and Vol. */
const writtenOtherwise = new Set(['and', 'volume', 'volumes'])

/** @returns a pattern of LIKE for the letters of a word in their order, whatever is between them */
export function subsequencePattern(word: string, letters: RegExp): string {
  const kept = writtenOtherwise.has(word) ? [] : (word.match(letters) ?? [])
  return `%${kept.map((letter) => `${letter}%`).join('')}`
}

function hasWords({ title, authors }: OwnBook, words: readonly string[]): boolean {
  return matchingWords([title, ...authors].join(', '), words).length === words.length
}

/**
 * A character of a script without spaces may stand anywhere, a word begins as one of the text does.
 *
 * @param words folded
 * @returns those that the text has
 */
export function matchingWords(text: string, words: readonly string[]): string[] {
  const indexed = ` ${indexText(text)}`
  return words.filter((word) => indexed.includes(isUnspacedToken(word) ? word : ` ${word}`))
}

/** @param row of {@link ownBookColumns} */
export function toOwnBook(row: Row): OwnBook {
  const [, id, title, authors, isbn, image, images, said] = row.map(String) as [
    ...[string, string, string, string, string, string, string, string],
  ]
  const [progress = 0, progress_percent = 0, page_count = 0] = row.slice(8).map(Number)
  const status = statuses.find((one) => one === said) ?? 'planning'
  const lists = { authors: textList(authors), images: textList(images) }
  return { id, title, isbn, image, status, progress, progress_percent, page_count, ...lists }
}
