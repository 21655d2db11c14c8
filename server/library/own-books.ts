import { sql, type RawBuilder } from 'kysely'
import { LRUCache } from 'lru-cache'
import { foldTitle, foldWords, indexText, isUnspacedToken } from '#catalogue/index.ts'
import type { Database, Dialect, Row } from '#records/index.ts'
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
  const printed = (word: string) =>
    isIn((column) => database.dialect.like(column, sql`${`%${word}%`}`))
  const asPrinted = (word: string) => {
    const forms = [...new Set([word, capital(word)])].map(printed)
    return sql`CASE WHEN ${sql.join(forms, sql` OR `)} THEN 1 ELSE 0 END`
  }
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

/** Titles have capitals only as first letters, and LIKE knows the case of ASCII letters itself. */
function capital(word: string): string {
  return /^[a-z]/.test(word) ? word : word.slice(0, 1).toUpperCase() + word.slice(1)
}

/**
 * Whether a row may hold the word, so that not all are read: its letters in their order, whatever
 * stands between them; beside letters with marks, or of other scripts, only those that have none.
 */
function mayHold({ dialect }: Database, word: string): RawBuilder<unknown> {
  const written = subsequencePattern(word, /[a-z0-9\p{Script=Han}\p{Script=Hangul}]/gu)
  if (written === '%') return sql`TRUE`
  return isIn(
    (column) =>
      sql`(${mayHaveMarks(dialect, column, word)} OR ${dialect.like(column, sql`${written}`)})`,
  )
}

/** Whether a text may hold the word with marks, or in another script: only some letters have none. */
export function mayHaveMarks(
  dialect: Dialect,
  column: RawBuilder<unknown>,
  word: string,
): RawBuilder<unknown> {
  const unmarked = subsequencePattern(word, /[bfmpqvx\p{Script=Han}\p{Script=Hangul}]/gu)
  const isBeyondAscii = sql`octet_length(${column}) > length(${column})`
  if (unmarked === '%') return isBeyondAscii
  return sql`(${isBeyondAscii} AND ${dialect.like(column, sql`${unmarked}`)})`
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

/** As somebody types, the same texts are looked at again and again. Characters. */
const indexedTexts = new LRUCache<string, string>({
  maxSize: 1_000_000,
  maxEntrySize: 1000,
  sizeCalculation: (indexed, text) => text.length + indexed.length + 1,
  memoMethod: (text) => indexText(text),
})

/**
 * A character of a script without spaces may stand anywhere, a word begins as one of the text does.
 *
 * @param words folded
 * @returns those that the text has
 */
export function matchingWords(text: string, words: readonly string[]): string[] {
  const tokens = ` ${indexedTexts.memo(text)}`
  return words.filter((word) => tokens.includes(isUnspacedToken(word) ? word : ` ${word}`))
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
