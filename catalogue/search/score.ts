import { pieces, separator } from '../text/fold.ts'
import { containsForm, type Clause, type Field, type QueryTerm } from './query.ts'
import type { Doc } from '../reading/index-reader.ts'
import { bucketOfDocid, topBucket } from '../index/schema.ts'
import { isStopWord, titleKeys, withoutArticle } from '../text/words.ts'

export interface ScoredDoc {
  doc: Doc
  score: number
  /** The share of the query that was found, 0 to 1; rarer words count more. */
  coverage: number
  /**
   * Whether every word except stop words was found in title or author, or in the requested field.
   */
  complete: boolean
  /** Whether most of its title was typed. */
  whole: boolean
}

/** The weight of a word by the place it is found in. */
const worthOf: Record<Field, [keyof Texts, number][]> = {
  text: [
    ['title', 1],
    ['author', 0.95],
    ['alt', 0.8],
    ['subject', 0.35],
  ],
  title: [
    ['title', 1],
    ['alt', 0.8],
  ],
  author: [['author', 1]],
  genre: [['subject', 1]],
  publisher: [],
}
type Texts = Pick<Doc, 'title' | 'alt' | 'author' | 'subject'>

/** A tokenized work, for all interpretations of a query. */
export interface TokenizedDoc {
  doc: Doc
  /** Its printed title, without other spellings. */
  title: string
  titleWords: string[]
  titleKeys: string[]
  /** Its other titles. */
  others: string[]
  /** Its authors' names, word by word. */
  names: string[][]
}

/** @returns the work for `scoreDoc` */
export function tokenizeDoc(doc: Doc): TokenizedDoc {
  const title = printed(doc.title)
  return {
    doc,
    title,
    titleWords: title.split(' '),
    titleKeys: titleKeys(title),
    others: pieces(doc.alt),
    names: pieces(doc.author).map((name) => name.split(' ')),
  }
}

/**
 * Scores a work: mostly by the share of the words found, then by whether they are the whole title
 * or author, then by how widely the work is read.
 */
export function scoreDoc(text: TokenizedDoc, clauses: Clause[]): ScoredDoc {
  const { doc } = text
  let asked = 0
  let found = 0
  let complete = true
  let bonus = 0
  let mostOfTitle = false
  for (const clause of clauses) {
    const places = worthOf[clause.field]
    if (places.length === 0) continue
    const inTitle = clause.field === 'text' || clause.field === 'title'
    const whole = inTitle ? wholeTitle(text, clause) : 0
    const author =
      clause.field === 'text' || clause.field === 'author' ? authorBonus(text, clause) : 0
    bonus += author
    // A search for an author doesn't mean books with the name in their title.
    const named = author > begunName && whole === 0
    for (const term of clause.terms) {
      const { worth, inName } = bestPlace(doc, term, places)
      asked += term.weight
      found += term.weight * (named ? 1 : Math.max(worth, whole))
      if (whole === 0 && !term.stop && !(clause.field === 'text' ? inName : worth > 0))
        complete = false
    }
    if (inTitle && !named) {
      const share = whole === 1 ? 1 : titleShare(text, clause)
      bonus += titleBonus(text, clause, whole, share)
      if (share >= 0.7 || whole > 0) mostOfTitle = true
    }
  }
  const coverage = asked === 0 ? 1 : found / asked
  const popularity = (3 * bucketOfDocid(doc.docid)) / topBucket
  return { doc, score: 7 * coverage + bonus + popularity, coverage, complete, whole: mostOfTitle }
}

/** 1 if the query is the title, .8 if it is another title, whatever the spacing. */
function wholeTitle(text: TokenizedDoc, clause: Clause): number {
  const { keys } = clause
  // Texts without spaces are compared as pairs of characters; their keys are made from whole words.
  if (text.titleKeys.some((key) => keys.includes(key)) || text.title === clause.tokens.join(' '))
    return 1
  return text.others.some((other) => mayBe(other, keys) && sameTitle(other, keys)) ? 0.8 : 0
}

/** Skips most other titles by length and first letter. */
function mayBe(title: string, keys: readonly string[]): boolean {
  return keys.some(
    (key) =>
      title.length >= key.length &&
      title.length <= 2 * key.length + 4 &&
      (title[0] === key[0] || withoutArticle(title)[0] === key[0]),
  )
}

function sameTitle(title: string, keys: readonly string[]): boolean {
  return titleKeys(title).some((key) => keys.includes(key))
}

function bestPlace(
  doc: Doc,
  term: QueryTerm,
  places: [keyof Texts, number][],
): { worth: number; inName: boolean } {
  let worth = 0
  let inName = false
  for (const form of term.forms)
    for (const [place, value] of places) {
      if (form.worth * value <= worth || !containsForm(doc[place], form)) continue
      worth = form.worth * value
      if (place !== 'subject') inName = true
    }
  return { worth, inName }
}

/** The share of the title that was typed, 0 to 1; stop words count little. */
function titleShare({ titleWords }: TokenizedDoc, clause: Clause): number {
  let total = 0
  let explained = 0
  for (const word of titleWords) {
    const weight = isStopWord(word) ? 0.2 : 1
    total += weight
    explained += weight * Math.max(...clause.terms.map((term) => writtenShare(term, word)))
  }
  return explained / total
}

function titleBonus(text: TokenizedDoc, clause: Clause, whole: number, share: number): number {
  const begins = text.title.startsWith(clause.tokens.join(' ')) ? 0.4 : 0
  const together = isTogether(text.doc, clause) ? 0.5 : 0
  return 0.8 * share + begins + together + exactBonus(text.doc, clause, whole, share)
}

/** Whether one of its titles contains the words in order, such as a series and a number. */
function isTogether(doc: Doc, { tokens }: Clause): boolean {
  const start = tokens.findIndex((word) => !isStopWord(word))
  if (start < 0 || tokens.length - start < 2) return false
  const words = ` ${tokens.slice(start).join(' ')} `
  return doc.title.includes(words) || doc.alt.includes(words)
}

function exactBonus(doc: Doc, clause: Clause, whole: number, share: number): number {
  if (whole === 1) return 1.2
  const inAuthor = (term: QueryTerm) => term.forms.some((form) => containsForm(doc.author, form))
  const inTitle = (term: QueryTerm) => term.forms.some((form) => containsForm(doc.title, form))
  // The whole title, with its author or with typos.
  if (share === 1 && clause.terms.every((term) => inAuthor(term) || inTitle(term))) return 0.9
  return whole > 0 ? 0.85 : 0
}

function explains(term: QueryTerm, word: string): boolean {
  return term.forms.some((form) => {
    if (form.prefix) return word.startsWith(form.text)
    return form.text === word || (form.text.includes(' ') && form.text.split(' ').includes(word))
  })
}

/** The share of a title's word that a term is, 0 to 1: "austen" is two thirds of Austenland. */
function writtenShare(term: QueryTerm, word: string): number {
  const shares = term.forms.map((form) => {
    if (!explains({ ...term, forms: [form] }, word)) return 0
    return form.prefix ? form.text.length / word.length : 1
  })
  return Math.max(0, ...shares)
}

const begunName = 1.2

/** A bonus if the query is the author's whole name, in any order. */
function authorBonus({ names }: TokenizedDoc, clause: Clause): number {
  let best = 0
  for (const [place, words] of names.entries()) {
    if (!words.every((word) => clause.terms.some((term) => explains(term, word)))) continue
    if (!clause.terms.every((term) => words.some((word) => explains(term, word)))) continue
    const begun = clause.terms.some(({ forms }) =>
      forms.every((form) => form.prefix || !words.includes(form.text)),
    )
    // A prefix of a name may also be a title: Home isn't Homer.
    const written = place === 0 ? 2.4 : 1.9
    best = Math.max(best, begun ? begunName : written)
  }
  return best
}

/** A column's printed text, without other spellings. */
function printed(column: string): string {
  return (column.split(separator)[0] ?? '').trim()
}
