import type { DatabaseSync } from 'node:sqlite'
import type { FoldedWork } from '../index/docs.ts'
import { foldTitle, foldWords, pieces, separator } from '../text/fold.ts'
import type { Doc, IndexReader } from './index-reader.ts'
import { preparedWrite } from '../index/rows.ts'
import { allowedEdits, deletionKeys, editDistance } from '../text/spelling.ts'
import { isStopWord } from '../text/words.ts'

/** The number of most popular works that are suggested while typing. */
const maxSuggested = 200_000
/** The number of candidates that are scored. */
const windowSize = 40
const maxWords = 12

/** Writes the suggestion index, one work at a time, most popular first. */
export function suggestionWriter(db: DatabaseSync) {
  const add = preparedWrite(db, 'INSERT INTO suggest (rowid, text) VALUES (?, ?)')
  const remove = preparedWrite(db, 'DELETE FROM suggest WHERE rowid = ?')
  const addOther = preparedWrite(db, 'INSERT INTO suggest_other (rowid, text) VALUES (?, ?)')
  const removeOther = preparedWrite(db, 'DELETE FROM suggest_other WHERE rowid = ?')
  return {
    /** @param before the number of more popular works */
    add(work: FoldedWork, before: number): void {
      if (before >= maxSuggested) return
      const text = `${work.title} ${separator} ${work.author}`
      add.run(work.docid, text)
      if (work.alt !== '') addOther.run(work.docid, `${text} ${separator} ${work.alt}`)
    },
    remove(work: FoldedWork): void {
      remove.run(work.docid)
      removeOther.run(work.docid)
    },
  }
}

/** A text that a reader types or searches for, and the best known works with all of its words. */
export interface TypedText {
  text: string
  words: string[]
  /** The words before the last one if that may be incomplete, or else all. */
  whole: string[]
  /** The last word if it may be incomplete. */
  open: string[]
  /** Docids of works that have the words in title or author, most popular first. */
  works: number[]
}

/** @param isOpen whether the last word may be incomplete; unless a space follows, by default */
export function readTyped(
  reader: IndexReader,
  text: string,
  isOpen: boolean = !/\s$/.test(text),
): TypedText {
  const words = foldWords(text).slice(0, maxWords)
  const open = isOpen ? words.slice(-1) : []
  const whole = words.slice(0, words.length - open.length)
  const works = words.length > 0 ? reader.suggest(expression(whole, open), windowSize) : []
  return { text, words, whole, open, works }
}

/**
 * Finds works whose title or author contains all words, the last one as a prefix; without a match,
 * one typo is corrected.
 *
 * @param language preferred for the editions shown; '' for none
 * @returns editions, best first
 */
export function suggestions(
  reader: IndexReader,
  { text, words, whole, open, works: own }: TypedText,
  count: number,
  language = '',
): number[] {
  if (words.length === 0) return []
  const asked = expression(whole, open)
  const found = own.length < count ? union(own, reader.suggestOther(asked, windowSize)) : own
  const docids = found.length > 0 ? found : corrected(reader, whole, open)
  const typed = words.join(' ')
  const isOwn = new Set(own)
  const rank = (doc: Doc) => {
    const [title = ''] = pieces(doc.title)
    if (title === typed || title === foldTitle(text)) return 0
    if (title.startsWith(typed)) return 1
    const others = pieces(doc.alt)
    if (others.includes(typed)) return 2
    if (isOwn.has(doc.docid)) return 3
    return others.some((other) => other.startsWith(typed)) ? 4 : 5
  }
  return reader
    .docs(docids)
    .map((doc) => ({ doc, rank: rank(doc) }))
    .sort((a, b) => a.rank - b.rank || a.doc.docid - b.doc.docid)
    .slice(0, count)
    .map(({ doc }) => reader.editionIn(doc.docid, language) ?? doc.editionId)
}

const union = (some: number[], others: number[]) => [...new Set([...some, ...others])]

/** Words contain only letters and digits, so quoting them is safe. */
function expression(whole: string[], open: string[]): string {
  const telling = whole.filter((word) => !isStopWord(word))
  const asked = telling.length + open.length === 0 ? whole : telling
  return [...asked.map((word) => `"${word}"`), ...open.map((word) => `"${word}" *`)].join(' AND ')
}

/**
 * Corrects one word that no title contains; complete words are tried before the one being typed.
 */
function corrected(reader: IndexReader, whole: string[], open: string[]): number[] {
  const wrong = [...whole, ...open].filter((word) => reader.worksWith(word) === 0)
  const [word] = wrong
  if (word === undefined || wrong.length > 1) return []
  const limit = allowedEdits(word)
  const begun = open.includes(word)
  const near = reader
    .termsByDeletion(deletionKeys(word))
    .map(({ term, weight }) => {
      const compared = begun ? term.slice(0, Math.max(word.length, 4)) : term
      return { compared, weight, distance: editDistance(word, compared, limit) }
    })
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || b.weight - a.weight)
  for (const { compared } of near.slice(0, 3)) {
    const put = (words: string[]) => words.map((each) => (each === word ? compared : each))
    const found = reader.suggest(expression(put(whole), put(open)), windowSize)
    if (found.length > 0) return found
  }
  return []
}
