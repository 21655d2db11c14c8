import type { SearchForm } from '#shared/book.ts'
import { conceptStems, describedBy, describingWords, type Described } from './describe.ts'
import { foldTitle, foldWords } from './fold.ts'
import type { IndexReader } from './index-reader.ts'
import { totalWeight, type Clause, type QueryTerm } from './query.ts'
import { contentStems } from './subject-index.ts'
import type { Candidates } from './window.ts'
import { isStopWord } from './words.ts'

/** A text whose words the names of some work explain this well is no description. */
const explainedByNames = 0.75
/** Taken as a description unasked, a text must be explained this well by what a work says. */
const explainedBySubject = 0.45
/** With so many words that tell something, a text that names nothing is a description. */
const longDescription = 5
/** Hardly any title has so many words that tell something. */
const longerThanTitles = 8
/** Nor so many which one work explains this well. */
const sentence = { words: 4, explained: 0.6 }

/**
 * How much of a text, unasked, what a work says must explain: no more than names explain of it, by
 * words that are guessed.
 */
export function minExplainedShare(q: string, found: Candidates): number {
  if (describingWords(q).length >= longDescription) return 0
  return Math.min(explainedBySubject, Math.max(0, ...found.works().map((work) => work.coverage)))
}

/** Whether a text, unasked, is taken as a description: it tells something, but names nothing. */
export function mayDescribe(
  { mode, by, q }: SearchForm,
  clauses: Clause[],
  { works }: Candidates,
  isNamed: () => boolean,
  reader: IndexReader,
): boolean {
  const terms = clauses.flatMap((clause) => clause.terms)
  // A word that is nowhere describes nothing: it is a name, mistyped beyond what is put right.
  const meant = conceptStems(q)
  const isTelling = ({ word }: QueryTerm) =>
    isKnown(word, reader) || contentStems(word).some((stem) => meant.has(stem))
  const telling = totalWeight(terms.filter(isTelling)) / totalWeight(terms)
  const asked = terms.filter((term) => !term.stop)
  // What is left of a name that is nowhere would bring books that have nothing to do with it.
  const isLost =
    describingWords(q).length < longDescription &&
    2 * asked.filter(isTelling).length <= asked.length
  return (
    mode === 'auto' &&
    by === '1' &&
    clauses.every((clause) => clause.field === 'text') &&
    (describingWords(q).length === 1
      ? isOnlySubject(q, terms, reader)
      : describingWords(q).length > 1 &&
        !isLost &&
        !works().some((work) => work.coverage >= explainedByNames * telling)) &&
    !isNamed()
  )
}

/** Whether a single word stands in no name or subject, nor begins one, but in what works tell. */
function isOnlySubject(q: string, terms: QueryTerm[], reader: IndexReader): boolean {
  const telling = terms.filter((term) => !term.stop)
  return (
    telling.length === 1 &&
    telling.every(
      ({ word }) =>
        reader.worksWith(word) === 0 &&
        reader.weightOfStart(word) === null &&
        isKnown(word, reader),
    ) &&
    describedBy(q, reader).length > 0
  )
}

/** Whether the word stands in some name, subject or description. */
export function isKnown(word: string, reader: IndexReader): boolean {
  if (reader.worksWith(word) > 0) return true
  return contentStems(word).some((stem) => reader.countSubjects(`"${stem}"`, 1) > 0)
}

/** Phrases that mark a text as a description. */
const asksFor =
  /(?:^| )(?:(?:book|novel|story|manga|anime|play|poem|one)s? (?:about|called|in which|that|this|when|where|which|who|with)|remember|looking for) /
/** How titles are put together, and seldom sentences. */
const ofTitle = /^the | of /
const longWord = /\p{L}{4,}/gu

/**
 * Whether a text that was taken as a description could also be a book's title: it is short, or no
 * work explains it well.
 */
export function mayBeTitle(q: string, described: Described[], reader: IndexReader): boolean {
  const text = foldTitle(q)
  // A number that is nowhere makes a sentence no title.
  const words = describingWords(q).filter((word) => !/^\d+$/.test(word))
  if (asksFor.test(`${text} `) || words.length >= longerThanTitles) return false
  const longWords = q.match(longWord) ?? []
  if (longWords.length > 1 && longWords.every((word) => /^\p{Lu}/u.test(word))) return true
  // Sentences have joining words such as "with". A title followed by its author rarely does.
  const isJoined = foldWords(q).some(isStopWord)
  const least = isJoined && !ofTitle.test(text) ? sentence.words - 1 : sentence.words
  if (words.length < least) return true
  const known = words.filter((word) => isKnown(word, reader)).length / words.length
  return !described.some(({ share }) => share * known >= sentence.explained)
}
