import { isUnspacedToken, foldWords, separator } from '../text/fold.ts'
import type { Doc, IndexReader } from '../reading/index-reader.ts'
import type { Clause, QueryTerm, TermForm } from './query.ts'
import { containsForm, contentTerms, totalWeight, volumeNumber } from './query.ts'
import { editDistance } from '../text/spelling.ts'
import { hash, isNoiseWord, isStopWord, titleKeys } from '../text/words.ts'

/** The share of a title that must match if its words are corrected. */
const mostOfTitle = 0.7
/** An unknown word of this length counts as a typo of a similar name. */
const surelyMistyped = { inAuthor: 5, inTitle: 7 }
/** This many words that a work's title and author contain together are its name, despite typos. */
const minOfBoth = 3
const longWord = 6
/** Works that contain less than this share as typed match only through guesses. */
const minWritten = 0.25

/**
 * Whether a work has the requested name or author: its names or subjects contain all words as
 * typed. An unknown word may be a typo; a known word is only corrected if that gives the whole
 * title, or if title and author agree.
 *
 * @param interpretations of the query
 * @returns a function of a work; `where` says whether its subjects count as well
 */
export function isNamedIn(
  interpretations: readonly Clause[][],
  reader: IndexReader,
): (doc: Doc, where?: 'name' | 'subject') => boolean {
  const titled = new Map<Clause, number[]>()
  const isTitled = (doc: Doc, clause: Clause) =>
    titled
      .getOrInsertComputed(clause, ({ keys }) => reader.titled(keys.map(hash)))
      .includes(doc.docid)
  return (doc, where = 'name') => {
    const subject = where === 'subject' ? doc.subject : ''
    return interpretations.some((clauses) =>
      clauses.every((clause) => isNamedBy(doc, subject, clause, reader, isTitled)),
    )
  }
}

function isNamedBy(
  doc: Doc,
  subject: string,
  clause: Clause,
  reader: IndexReader,
  isTitled: (doc: Doc, clause: Clause) => boolean,
): boolean {
  if (clause.field === 'publisher' || clause.field === 'genre') return true
  const terms = contentTerms(clause)
  const texts = { text: names(doc) + subject, title: doc.title + doc.alt, author: doc.author }
  const text = texts[clause.field]
  const isWritten = (form: TermForm) => !form.guessed && containsForm(text, form)
  const written = terms.filter((term) => term.forms.some(isWritten))
  if (written.length === terms.length) return true
  const others = terms.filter((term) => !written.includes(term))
  if (isTitled(doc, clause)) return true
  const missing = others.filter(
    (term) => !term.forms.some((form) => containsForm(names(doc), form)),
  )
  if (missing.length === 0)
    return (
      titleShare(doc, clause) >= mostOfTitle ||
      others.every((term) => isSurelyMistyped(term, doc)) ||
      (terms.length >= minOfBoth && isByBoth(terms, doc))
    )
  // A whole title with an unknown word: match it without that word.
  const rest = clause.terms.filter((term) => !missing.includes(term)).map(({ word }) => word)
  const isWhole = () =>
    titleShare(doc, clause) === 1 ||
    reader.titled(titleKeys(rest.join(' ')).map(hash)).includes(doc.docid)
  return (
    missing.every((term) => reader.worksWith(term.word) === 0) &&
    // With more unknown words it is a sentence that contains another book's title.
    written.length >= missing.length &&
    isWhole()
  )
}

/**
 * Whether a work comes close: it contains some of the query as typed.
 *
 * @param interpretations of the query
 */
export function isClose(doc: Doc, interpretations: readonly Clause[][]): boolean {
  return interpretations.some((clauses) =>
    clauses.some((clause) => {
      const terms = contentTerms(clause)
      const text = names(doc) + doc.subject
      const held = terms.filter(({ forms }) =>
        forms.some((form) => !form.guessed && containsForm(text, form)),
      )
      // A single word may match by sound; of several, some must match as typed, or nearly in the
      // author's name.
      return (
        terms.length === 1 ||
        totalWeight(held) >= minWritten * totalWeight(terms) ||
        isByAuthor(terms, doc)
      )
    }),
  )
}

/**
 * The words of a text that a work doesn't contain in any spelling, except words that readers add to
 * titles, such as "novel".
 */
export function wordsLeftOut(
  text: string,
  doc: Doc,
  interpretations: readonly Clause[][],
): string[] {
  const terms = interpretations.flatMap((clauses) => clauses.flatMap((clause) => clause.terms))
  const isHeld = (word: string) =>
    terms.some(
      (term) =>
        [word, volumeNumber(word)].includes(term.word) &&
        term.forms.some((form) => containsForm(names(doc) + doc.subject, form)),
    )
  return wordsWhere(text, (word) => !isStopWord(word) && !isNoiseWord(word) && !isHeld(word))
}

/** @returns the typed words of a text whose parts all satisfy the condition */
export function wordsWhere(text: string, isSuch: (word: string) => boolean): string[] {
  const words = text.split(/\s+/).filter((word) => {
    const parts = foldWords(word)
    return parts.length > 0 && parts.every((part) => !isUnspacedToken(part) && isSuch(part))
  })
  return [
    ...new Set(words.map((word) => word.replaceAll(/^\P{L}+(?=\p{L})|[^\p{L}\p{N}]+$/gu, ''))),
  ]
}

const isIn = (text: string) => (term: QueryTerm) =>
  term.forms.some((form) => mayBeMeant(term, form) && containsForm(text, form))

/**
 * Few readers mistype the first letter, so a guess may change it only in a long word, and nothing
 * else.
 */
function mayBeMeant({ word }: QueryTerm, { text }: TermForm): boolean {
  return text[0] === word[0] || (word.length >= longWord && editDistance(word, text, 1) < 2)
}

/** Whether title and author together contain all words, but the author alone doesn't. */
function isByBoth(terms: QueryTerm[], doc: Doc): boolean {
  return isByAuthor(terms, doc) && terms.some((term) => !isIn(doc.author)(term))
}

function isByAuthor(terms: QueryTerm[], doc: Doc): boolean {
  return terms.every(isIn(names(doc))) && terms.some(isIn(doc.author))
}

const names = (doc: Doc) => doc.title + doc.alt + doc.author

function isSurelyMistyped({ word, known, forms }: QueryTerm, doc: Doc): boolean {
  if (known || word.length < surelyMistyped.inAuthor) return false
  const [first] = word
  const near = forms.filter((form) => form.text[0] === first)
  if (word.length >= surelyMistyped.inTitle && near.some((form) => containsForm(names(doc), form)))
    return true
  return near.some((form) => containsForm(doc.author, form) && editDistance(word, form.text, 2) < 2)
}

/**
 * The largest share of any of its titles that was typed, 0 to 1. Other titles of one word are
 * skipped, as they may be initials, which nearly every short word resembles.
 */
function titleShare(doc: Doc, clause: Clause): number {
  const [own = '', ...variants] = doc.title.split(separator)
  const others = [...variants, ...doc.alt.split(separator)].map(tellingWords)
  let most = 0
  for (const words of [tellingWords(own), ...others.filter(({ length }) => length > 1)]) {
    const asked = words.filter((word) => clause.terms.some((term) => isMeant(term, word)))
    if (words.length > 0) most = Math.max(most, asked.length / words.length)
  }
  return most
}

const tellingWords = (title: string) =>
  title.split(' ').filter((word) => word !== '' && !isStopWord(word))

function isMeant({ forms }: QueryTerm, word: string): boolean {
  return forms.some(({ text, prefix }) => !prefix && ` ${text} `.includes(` ${word} `))
}
