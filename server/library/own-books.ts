import { sql, type RawBuilder } from 'kysely'
import { LRUCache } from 'lru-cache'
import { foldTitle, foldWords, indexText, isUnspacedToken } from '#catalogue/index.ts'
import type { Database, Dialect, Row } from '#records/index.ts'
import { query, textList } from '#server/query.ts'
import type { OwnBook } from '#shared/suggestion.ts'
import { statuses } from '#shared/user-book.ts'

/**
 * The most rows that are matched in JavaScript: with most words as printed, newest change first.
 */
const maxResults = 300
const maxWords = 12

/**
 * Finds a reader's own books whose title or authors have words that begin with the given ones, in
 * any order and any spelling that the catalogue understands. A book on several shelves appears
 * once.
 *
 * @returns titles that begin with the text first, then the latest changed
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
  const { first = [], later = [] } = Object.groupBy(distinct.values(), ({ title }) =>
    foldTitle(title).startsWith(typed) ? 'first' : 'later',
  )
  return [...first, ...later].slice(0, max)
}

/** The columns that {@link toOwnBook} reads, after the book's key. */
export const ownBookColumns = sql`b.book_key, b.id, b.title, b.authors, b.isbn, b.image, b.images,
  b.status, b.progress, b.progress_percent, b.page_count`

function isIn(holds: (column: RawBuilder<unknown>) => RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(${holds(sql`b.title`)} OR ${holds(sql`b.authors`)})`
}

/** Titles have capitals only as first letters, and LIKE ignores the case of ASCII letters. */
function capital(word: string): string {
  return /^[a-z]/.test(word) ? word : word.slice(0, 1).toUpperCase() + word.slice(1)
}

/**
 * A condition for rows that may contain the word, so that not all are read: its letters in order,
 * with anything in between. Letters that may have marks or other spellings are skipped.
 */
function mayHold({ dialect }: Database, word: string): RawBuilder<unknown> {
  const written = subsequencePattern(word, /[a-z0-9\p{Script=Han}\p{Script=Hangul}]/gu)
  if (written === '%') return sql`TRUE`
  return isIn(
    (column) =>
      sql`(${mayHaveMarks(dialect, column, word)} OR ${dialect.like(column, sql`${written}`)})`,
  )
}

/** A condition for texts that may contain the word with marks or in another script. */
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

/** The catalogue's readings of "&" and "Vol." */
const writtenOtherwise = new Set(['and', 'volume', 'volumes'])

/** @returns a LIKE pattern for the letters of a word in order, with anything in between */
export function subsequencePattern(word: string, letters: RegExp): string {
  const kept = writtenOtherwise.has(word) ? [] : (word.match(letters) ?? [])
  return `%${kept.map((letter) => `${letter}%`).join('')}`
}

function hasWords({ title, authors }: OwnBook, words: readonly string[]): boolean {
  return matchingWords([title, ...authors].join(', '), words).length === words.length
}

/** A cache, as typing searches the same texts again and again; its size is in characters. */
const indexedTexts = new LRUCache<string, string>({
  maxSize: 1_000_000,
  maxEntrySize: 1000,
  sizeCalculation: (indexed, text) => text.length + indexed.length + 1,
  memoMethod: (text) => indexText(text),
})

/**
 * Words match at the beginning of a word; characters of scripts without spaces match anywhere.
 *
 * @param words folded
 * @returns the words that the text contains
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
