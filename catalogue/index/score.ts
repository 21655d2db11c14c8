import { pieces, separator } from './fold.ts'
import { containsForm, type Clause, type Field, type QueryTerm } from './query.ts'
import type { Doc } from './index-reader.ts'
import { bucketOfDocid, topBucket } from './schema.ts'
import { isStopWord, titleKeys, withoutArticle } from './words.ts'

export interface ScoredDoc {
  doc: Doc
  score: number
  /** Share of the question found, 0 to 1, rarer words counting more. */
  coverage: number
  /** Every word that is no stop word was found in title or author, or in the field asked. */
  complete: boolean
  /** Most of its title was asked for. */
  whole: boolean
}

/** What a word found here is worth. Found nowhere of these it is worth nothing. */
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

/** A work taken apart once, for all the ways in which a question is understood. */
export interface TokenizedDoc {
  doc: Doc
  /** Its title as printed, without other spellings. */
  title: string
  titleWords: string[]
  titleKeys: string[]
  /** Its other titles. */
  others: string[]
  /** Its authors' names, word by word. */
  names: string[][]
}

/** @returns the work as `scoreDoc` reads it */
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
 * How well a work answers a question: mostly the share of its words found, then whether it is the
 * whole title or author, then how widely the work is read.
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
    // Who asks for an author does not ask for the books that have the name in their title.
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

/** 1 when the question is the title, .8 when it is another title, however it is spaced. */
function wholeTitle(text: TokenizedDoc, clause: Clause): number {
  const { keys } = clause
  // Texts in pairs of characters are compared as such; their keys are made from whole words.
  if (text.titleKeys.some((key) => keys.includes(key)) || text.title === clause.tokens.join(' '))
    return 1
  return text.others.some((other) => mayBe(other, keys) && sameTitle(other, keys)) ? 0.8 : 0
}

/** Skips most of the many other titles by their length and first letter. */
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

/** How much of the title was asked for, 0 to 1; stop words count little. */
function titleShare({ titleWords }: TokenizedDoc, clause: Clause): number {
  let total = 0
  let explained = 0
  for (const word of titleWords) {
    const weight = isStopWord(word) ? 0.2 : 1
    total += weight
    if (clause.terms.some((term) => explains(term, word))) explained += weight
  }
  return explained / total
}

function titleBonus(text: TokenizedDoc, clause: Clause, whole: number, share: number): number {
  const begins = text.title.startsWith(clause.tokens.join(' ')) ? 0.4 : 0
  const together = isTogether(text.doc, clause) ? 0.5 : 0
  return 0.8 * share + begins + together + exactBonus(text.doc, clause, whole, share)
}

/** The words stand in one of its titles as they were asked for: a series and the book's number. */
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
  // The whole title, with its author or with its typos put right.
  if (share === 1 && clause.terms.every((term) => inAuthor(term) || inTitle(term))) return 0.9
  return whole > 0 ? 0.85 : 0
}

function explains(term: QueryTerm, word: string): boolean {
  return term.forms.some((form) => {
    if (form.prefix) return word.startsWith(form.text)
    return form.text === word || (form.text.includes(' ') && form.text.split(' ').includes(word))
  })
}

const begunName = 1.2

/** The whole name was asked for, in any order: the author's books are meant. */
function authorBonus({ names }: TokenizedDoc, clause: Clause): number {
  let best = 0
  for (const [place, words] of names.entries()) {
    if (!words.every((word) => clause.terms.some((term) => explains(term, word)))) continue
    if (!clause.terms.every((term) => words.some((word) => explains(term, word)))) continue
    const begun = clause.terms.some(({ forms }) =>
      forms.every((form) => form.prefix || !words.includes(form.text)),
    )
    // A name that is only begun may as well be a title: Home is not Homer.
    const written = place === 0 ? 2.4 : 1.9
    best = Math.max(best, begun ? begunName : written)
  }
  return best
}

/** A column's first text as printed, without its other spellings. */
function printed(column: string): string {
  return (column.split(separator)[0] ?? '').trim()
}
