import type { SearchForm } from '#shared/book.ts'
import { conceptStems, describedBy, describingWords, type Described } from './describe.ts'
import { foldTitle, foldWords } from '../text/fold.ts'
import type { IndexReader } from '../reading/index-reader.ts'
import { totalWeight, type Clause, type QueryTerm } from './query.ts'
import { contentStems } from '../index/subject-index.ts'
import type { Candidates } from './window.ts'
import { isStopWord } from '../text/words.ts'

/** If a work's names explain this share of a text, it isn't a description. */
const explainedByNames = 0.75
/** To be taken as a description automatically, a work's texts must explain this share. */
const explainedBySubject = 0.45
/** A text with this many meaningful words that names nothing is a description. */
const longDescription = 5
/** Hardly any title has this many meaningful words. */
const longerThanTitles = 8
/** A sentence has this many words, of which one work explains this share. */
const sentence = { words: 4, explained: 0.6 }

/**
 * The share that a work's texts must explain if the description is only assumed: at most as much as
 * names explain by guesses.
 */
export function minExplainedShare(q: string, found: Candidates): number {
  if (describingWords(q).length >= longDescription) return 0
  return Math.min(explainedBySubject, Math.max(0, ...found.works().map((work) => work.coverage)))
}

/**
 * Whether to take a text as a description automatically: it describes something but names nothing.
 */
export function mayDescribe(
  { mode, by, q }: SearchForm,
  clauses: Clause[],
  { works }: Candidates,
  isNamed: () => boolean,
  reader: IndexReader,
): boolean {
  const terms = clauses.flatMap((clause) => clause.terms)
  // An unknown word describes nothing: it is a name with too many typos.
  const meant = conceptStems(q)
  const isTelling = ({ word }: QueryTerm) =>
    isKnown(word, reader) || contentStems(word).some((stem) => meant.has(stem))
  const telling = totalWeight(terms.filter(isTelling)) / totalWeight(terms)
  const asked = terms.filter((term) => !term.stop)
  // The rest of an unknown name would find unrelated books.
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

/** Whether a single word occurs in works' texts but in no name or subject, not even as a prefix. */
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

/** Whether the word occurs in any name, subject or description. */
export function isKnown(word: string, reader: IndexReader): boolean {
  if (reader.worksWith(word) > 0) return true
  return contentStems(word).some((stem) => reader.countSubjects(`"${stem}"`, 1) > 0)
}

/** Phrases that mark a text as a description. */
const asksFor =
  /(?:^| )(?:(?:book|novel|story|manga|anime|play|poem|one)s? (?:about|called|in which|that|this|when|where|which|who|with)|remember|looking for) /
/** Patterns of titles that are rare in sentences. */
const ofTitle = /^the | of /
const longWord = /\p{L}{4,}/gu

/** Whether a description could also be a title: it is short, or no work explains it well. */
export function mayBeTitle(q: string, described: Described[], reader: IndexReader): boolean {
  const text = foldTitle(q)
  // An unknown number doesn't make a sentence a title.
  const words = describingWords(q).filter((word) => !/^\d+$/.test(word))
  if (asksFor.test(`${text} `) || words.length >= longerThanTitles) return false
  const longWords = q.match(longWord) ?? []
  if (longWords.length > 1 && longWords.every((word) => /^\p{Lu}/u.test(word))) return true
  // Sentences have function words such as "with"; a title followed by its author rarely does.
  const isJoined = foldWords(q).some(isStopWord)
  const least = isJoined && !ofTitle.test(text) ? sentence.words - 1 : sentence.words
  if (words.length < least) return true
  const known = words.filter((word) => isKnown(word, reader)).length / words.length
  return !described.some(({ share }) => share * known >= sentence.explained)
}
