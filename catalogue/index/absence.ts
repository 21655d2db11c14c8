import { isUnspacedToken, foldWords, separator } from './fold.ts'
import type { Doc, IndexReader } from './index-reader.ts'
import type { Clause, QueryTerm, TermForm } from './query.ts'
import { containsForm, contentTerms, totalWeight, volumeNumber } from './query.ts'
import { editDistance } from './spelling.ts'
import { hash, isNoiseWord, isStopWord, titleKeys } from './words.ts'

/** So much of a title, where its words are put right, must have been asked for. */
const mostOfTitle = 0.7
/** An unknown word of so many letters is that of a name which is written nearly so. */
const surelyMistyped = { inAuthor: 5, inTitle: 7 }
/** So many words that title and author of one work hold together are its name, however mistyped. */
const minOfBoth = 3
const longWord = 6
/** Works that hold less than this of what was written only resemble it by guesses. */
const minWritten = 0.25

/**
 * Whether a work is called what was asked for, or is by the author asked for: all words stand in
 * its names or subjects as they were written. A word that no index knows may be mistyped; one that
 * is known is only put right where that makes all of a title, or where title and author agree.
 *
 * @param interpretations the ways in which the question is understood
 * @returns tells it of a work; `where`, whether its subjects may hold words as well
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
  // A whole title with a word that is nowhere: it can only be meant without it.
  const rest = clause.terms.filter((term) => !missing.includes(term)).map(({ word }) => word)
  const isWhole = () =>
    titleShare(doc, clause) === 1 ||
    reader.titled(titleKeys(rest.join(' ')).map(hash)).includes(doc.docid)
  return (
    missing.every((term) => reader.worksWith(term.word) === 0) &&
    // With more of such words it is a sentence that holds the title of another book.
    written.length >= missing.length &&
    isWhole()
  )
}

/**
 * Of works that are not called so, those that come close: they hold some of it as it was written.
 *
 * @param interpretations the ways in which the question is understood
 */
export function isClose(doc: Doc, interpretations: readonly Clause[][]): boolean {
  return interpretations.some((clauses) =>
    clauses.some((clause) => {
      const terms = contentTerms(clause)
      const text = names(doc) + doc.subject
      const held = terms.filter(({ forms }) =>
        forms.some((form) => !form.guessed && containsForm(text, form)),
      )
      // A single word may be misheard; of several, some must be right, or the author's name nearly.
      return (
        terms.length === 1 ||
        totalWeight(held) >= minWritten * totalWeight(terms) ||
        isByAuthor(terms, doc)
      )
    }),
  )
}

/**
 * The words of a text that a work holds nowhere, in no spelling; what readers add to a title, such
 * as "novel", is none of them.
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

/** @returns the words of a text, as they were written, all parts of which are such */
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

/** Few readers get the first letter wrong, so a guess may change it only in a long word, and nothing else. */
function mayBeMeant({ word }: QueryTerm, { text }: TermForm): boolean {
  return text[0] === word[0] || (word.length >= longWord && editDistance(word, text, 1) < 2)
}

/** Whether title and author together hold all words, and the author alone does not. */
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
 * How much of the one of its titles was asked for that was asked for most, 0 to 1. Other titles of
 * one word may be initials, which nearly every short word resembles.
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
