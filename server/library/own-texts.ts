import { setImmediate } from 'node:timers/promises'
import { sql, type RawBuilder } from 'kysely'
import { LRUCache } from 'lru-cache'
import { foldWords, indexText, isUnspacedToken } from '#catalogue/index.ts'
import { type Database, type Dialect, type Row, texts } from '#records/index.ts'
import type { RememberedBook } from '#shared/suggestion.ts'
import { charactersOf } from '#shared/text.ts'
import { ownBookColumns, toOwnBook } from './own-books.ts'

/**
 * The most rows that are matched in JavaScript: those with most words as printed, newest change
 * first.
 */
const maxResults = 300
const maxWords = 12
/**
 * Characters that are folded before other requests get their turn (a few milliseconds), and in all.
 */
const lettersAtOnce = 50_000
const maxLetters = 2_000_000

type Found = RememberedBook['found']

/** A row's text and its book's name; words may be in either. */
interface Texts {
  name: string
  said: [where: Found['where'], text: string][]
}

/**
 * Finds a reader's own books whose tags, notes, reviews and quotes have words that begin with the
 * given ones, in any order; some of them may be in the title or the authors. A book on several
 * shelves appears once.
 *
 * @returns the latest changed first, each with the sentence that has most of the words
 */
export async function findInOwnTexts(
  database: Database,
  user: string,
  text: string,
  max: number,
): Promise<RememberedBook[]> {
  const words = foldWords(text).slice(0, maxWords)
  if (words.length === 0) return []
  const [ofBook, ofQuote] = [
    [sql`b.tags`, sql`b.notes`, sql`b.review`],
    [sql`q.text`, sql`q.note`],
  ].map((texts) => holding(database, texts, words))
  const searches = [
    {
      textsOf: textsOfBook,
      fragment: sql`SELECT ${ownBookColumns}, b.tags, b.notes, b.review FROM user_books b
        WHERE b."user" = ${user} AND ${hasTexts} AND ${ofBook!.all}
        ORDER BY ${ofBook!.printed} DESC, b.updated DESC, b.id LIMIT ${sql.lit(maxResults)}`,
    },
    {
      textsOf: textsOfQuote,
      // A CROSS JOIN makes SQLite begin with the quotes: few books have any.
      fragment: sql`SELECT ${ownBookColumns}, q.text, q.note FROM quotes q CROSS JOIN user_books b
        WHERE b."user" = q."user" AND b.book_key = q.book_key
          AND q."user" = ${user} AND ${ofQuote!.all}
        ORDER BY ${ofQuote!.printed} DESC, q.created DESC, b.id LIMIT ${sql.lit(maxResults)}`,
    },
  ]
  const found = new Map<string, RememberedBook>()
  let [letters, all] = [0, 0]
  for (const { fragment, textsOf } of searches)
    for (const row of await search(database, user, fragment)) {
      const key = String(row[0])
      if (found.has(key)) continue
      const texts = textsOf(row)
      const length = texts.said.reduce((sum, [, said]) => sum + said.length, 0)
      letters += length
      all += length
      if (all > maxLetters) return [...found.values()]
      if (letters > lettersAtOnce) {
        await setImmediate()
        letters = 0
      }
      const best = bestOf(texts, words)
      if (best) found.set(key, { ...toOwnBook(row), found: best })
      if (found.size === max) return [...found.values()]
    }
  return [...found.values()]
}

/** Tags are '[]' or 'null' where there are none. */
const hasTexts = sql`(length(b.tags) > 4 OR b.notes <> '' OR b.review <> '')`

/** In a worker thread on SQLite, as there may be many long notes. */
function search(database: Database, user: string, fragment: RawBuilder<unknown>): Promise<Row[]> {
  const { sql: statement, parameters } = database.dialect.compile(fragment)
  return database.search(statement, parameters as string[], user, 'broad')
}

/**
 * Preselects rows in SQL; {@link matchingWords} decides.
 *
 * @param texts the columns of notes and the like: at least one word must be in them, the others may be
 *   in the title or the authors
 * @returns conditions for whether all words may be in a row, and how many of them are literally
 */
function holding(
  { dialect }: Database,
  texts: readonly RawBuilder<unknown>[],
  words: readonly string[],
) {
  const any = (conditions: readonly RawBuilder<unknown>[]) =>
    sql`(${sql.join(conditions, sql` OR `)})`
  const columns = words.length > 1 ? [sql`b.title`, sql`b.authors`, ...texts] : texts
  const isPrinted = (column: RawBuilder<unknown>, word: string) =>
    dialect.like(sql`replace(${column}, '''', '')`, sql`${subsequencePattern(word, /.+/gu)}`)
  const isIn = (column: RawBuilder<unknown>, word: string) =>
    sql`(${mayHaveMarks(dialect, column, word)} OR ${isPrinted(column, word)})`
  const printed = words.map((word) => any(columns.map((column) => isPrinted(column, word))))
  const each = words.map((word) => any(columns.map((column) => isIn(column, word))))
  const some = any(texts.flatMap((column) => words.map((word) => isIn(column, word))))
  return {
    all: sql.join(words.length > 1 ? [some, ...each] : each, sql` AND `),
    printed: sql.join(
      printed.map((one) => sql`CASE WHEN ${one} THEN 1 ELSE 0 END`),
      sql` + `,
    ),
  }
}

/** A condition for texts that may contain the word with marks or in another script. */
function mayHaveMarks(
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
function subsequencePattern(word: string, letters: RegExp): string {
  const kept = writtenOtherwise.has(word) ? [] : (word.match(letters) ?? [])
  return `%${kept.map((letter) => `${letter}%`).join('')}`
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
function matchingWords(text: string, words: readonly string[]): string[] {
  const tokens = ` ${indexedTexts.memo(text)}`
  return words.filter((word) => tokens.includes(isUnspacedToken(word) ? word : ` ${word}`))
}

const nameOf = ([, , title, authors]: Row) => [String(title), ...texts(authors ?? null)].join(', ')

function textsOfBook(row: Row): Texts {
  const [tags, notes, review] = row.slice(11).map(String) as [string, string, string]
  const said: Texts['said'] = [
    ['tags', texts(tags).join(', ')],
    ['notes', notes],
    ['review', review],
  ]
  return { name: nameOf(row), said }
}

function textsOfQuote(row: Row): Texts {
  const [text, note] = row.slice(11).map(String) as [string, string]
  return { name: nameOf(row), said: [['quote', note ? `${text}\n${note}` : text]] }
}

/** @returns the sentence with most of the words, if all words occur somewhere */
function bestOf({ name, said }: Texts, words: readonly string[]): Found | null {
  const held = said.map(([where, text]) => ({ where, text, words: matchingWords(text, words) }))
  const all = new Set([...matchingWords(name, words), ...held.flatMap((one) => one.words)])
  if (words.some((word) => !all.has(word))) return null
  const [best] = held.toSorted((a, b) => b.words.length - a.words.length)
  if (!best?.words.length) return null
  const { where, text } = best
  return { where, sentence: where === 'tags' ? text : sentenceWith(text, best.words) }
}

/** The longest sentence that is shown, in characters. */
const maxSentenceLength = 240

/** @returns the first sentence with most of the words, shortened around them if it is long */
function sentenceWith(text: string, words: readonly string[]): string {
  const sentences = text.split(/(?<=[.!?…])\s+|(?<=[。！？])|\n+/u)
  let [best, max] = ['', 0]
  for (const sentence of sentences) {
    const held = matchingWords(sentence, words).length
    if (held > max) [best, max] = [sentence.trim(), held]
  }
  const letters = charactersOf(best)
  if (letters.length <= maxSentenceLength) return best
  const step = maxSentenceLength / 2
  for (let from = 0; from + step < letters.length; from += step) {
    const to = from + maxSentenceLength
    const piece = letters.slice(from, to).join('').trim()
    if (matchingWords(piece, words).length === 0) continue
    return `${from > 0 ? '…' : ''}${piece}${to < letters.length ? '…' : ''}`
  }
  return `${letters.slice(0, maxSentenceLength).join('')}…`
}
