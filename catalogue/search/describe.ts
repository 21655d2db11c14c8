import type { BookMatch } from '#shared/book.ts'
import { foldWords } from '../text/fold.ts'
import type { Phrase } from './concepts.ts'
import { concepts } from './concepts.ts'
import type { IndexReader } from '../reading/index-reader.ts'
import { stem } from '../text/stem.ts'
import type { ConceptForm, Concept } from './concept-scores.ts'
import { conceptScorer } from './concept-scores.ts'
import { isStopWord } from '../text/words.ts'

export interface Described {
  docid: number
  /** The share of the description that the work explains, 0 to 1; rarer words count more. */
  share: number
  /** Returns why; computed only for the works that are shown. */
  match: () => BookMatch
}

/** Words of a request that don't describe the book. */
const asking = new Set(
  `about after all am any anything are be been being can could did do does every find get give
  give goes going gone good great has have having he he's him how i'd i'm involving involves like looking look me more
  much main novel novels one ones only our out over plot read reading recommend set she some someone
  something story stories such takes than their them then there they those through up us want we were
  what when where which while who whose why will would you your book books title titles features
  featuring similar character characters protagonist tale please`.split(/\s+/),
)
const maxWords = 24
/** Works with a word are counted up to this limit. */
const maxCounted = 3000
/** The number of rarest words that are searched in pairs. */
const maxPaired = 6
/** The most works of each step, most popular first. */
const maxOfStep = 80
/** The most works that are read; those with most words come first. */
const maxWeighed = 200
/**
 * Milliseconds after which no further step is started, which only an overloaded machine reaches.
 */
const patience = 250
/** The weights of a synonym, next to the reader's own word or if no work has that. */
const worth = { other: 0.55, only: 0.8 }
/** A work must explain at least this share of a description, */
const leastShare = 0.25
/** or as much as a single distinctive word, however long the description is. */
const minMatched = 2
const maxDescribed = 54

/**
 * Finds works that match a description in plain language, by their subjects, descriptions and
 * titles. It searches for all pairs of the few rarest words by popularity and scores the results,
 * so that the time is bounded however large the catalogue is.
 *
 * @returns at most {@link maxDescribed}, best first; none if too little of it can be explained
 */
export function describedBy(text: string, reader: IndexReader): Described[] {
  const wanted = conceptsIn(text, reader)
  // A number alone describes nothing: some volume of every series has it.
  if (wanted.every(({ forms }) => forms.every(({ stems }) => areNumbers(stems)))) return []
  const { total, weigh, match } = conceptScorer(wanted)
  // An unknown detail must not exclude the work that explains the others.
  const least = Math.min(leastShare, minMatched / total)
  return reader
    .workTexts(candidates(wanted, reader))
    .map((text) => ({ text, ...weigh(text) }))
    .filter(({ share }) => share >= least)
    .sort((a, b) => b.score - a.score || a.text.docid - b.text.docid)
    .slice(0, maxDescribed)
    .map(({ text, share }) => ({ docid: text.docid, share, match: () => match(text) }))
}

const areNumbers = (stems: Phrase) => stems.every((each) => /^\d+$/.test(each))

/** @returns the stems of words that are part of a concept */
export function conceptStems(text: string): Set<string> {
  const words = describingWords(text).map(stem)
  const { also, longest } = concepts()
  const found = new Set<string>()
  for (let i = 0; i < words.length;) {
    const saying = words.slice(i, i + sayingAt(words, i, longest, also))
    if (also.has(saying.join(' '))) for (const each of saying) found.add(each)
    i += saying.length
  }
  return found
}

/** @returns the words of a text that describe a book */
export function describingWords(text: string): string[] {
  return foldWords(text)
    .slice(0, maxWords)
    .filter((word) => !isStopWord(word) && !asking.has(word))
}

function conceptsIn(text: string, reader: IndexReader): Concept[] {
  const words = describingWords(text).map(stem)
  const { also, longest } = concepts()
  const wanted = new Map<string, Concept>()
  for (let i = 0; i < words.length;) {
    const length = sayingAt(words, i, longest, also)
    const saying = words.slice(i, i + length)
    const own = reader.countSubjects(expressionOf([{ stems: saying, worth: 1 }]), maxCounted)
    const forms = [
      ...(own > 0 ? [{ stems: saying, worth: 1 }] : []),
      ...(also.get(saying.join(' ')) ?? []).map((stems) => ({
        stems,
        // If no work has the reader's own word, synonyms count more.
        worth: own > 0 ? worth.other : worth.only,
      })),
    ]
    const works =
      own > 0 || forms.length === 0 ? own : reader.countSubjects(expressionOf(forms), maxCounted)
    if (works > 0) wanted.set(saying.join(' '), { forms, weight: weightOf(works, reader) })
    i += length
  }
  return [...wanted.values()].sort((a, b) => b.weight - a.weight)
}

/** The number of words, from this index on, that express one concept. */
function sayingAt(
  words: string[],
  start: number,
  longest: number,
  also: ReadonlyMap<string, Phrase[]>,
): number {
  for (let length = Math.min(longest, words.length - start); length > 1; length--)
    if (also.has(words.slice(start, start + length).join(' '))) return length
  return 1
}

function weightOf(works: number, reader: IndexReader): number {
  return Math.log(1 + Math.min(reader.size, 50 * maxCounted) / (works + 0.5))
}

/** Stems contain only letters and digits, so quoting them is safe. */
function expressionOf(forms: readonly ConceptForm[]): string {
  return forms
    .map(({ stems }) => `(${stems.map((each) => `"${each}"`).join(' AND ')})`)
    .join(' OR ')
}

/** Finds works with most of the described concepts, with a few bounded queries. */
function candidates(wanted: Concept[], reader: IndexReader): number[] {
  const until = performance.now() + patience
  const held = new Map<number, Set<Concept>>()
  const take = (asked: Concept[]) => {
    if (performance.now() > until) return
    const step = asked.map(({ forms }) => `(${expressionOf(forms)})`).join(' AND ')
    for (const docid of reader.matchSubjects(step, maxOfStep))
      held.set(docid, new Set([...(held.get(docid) ?? []), ...asked]))
  }
  const rarest = wanted.slice(0, maxPaired)
  // Each one alone as well, so that a further detail never removes works.
  for (const one of wanted) take([one])
  for (const [i, one] of rarest.entries())
    for (const other of rarest.slice(i + 1)) take([one, other])
  const worth = (all: Iterable<Concept>) => [...all].reduce((sum, { weight }) => sum + weight, 0)
  return [...held]
    .map(([docid, all]) => ({ docid, worth: worth(all) }))
    .sort((a, b) => b.worth - a.worth || a.docid - b.docid)
    .slice(0, maxWeighed)
    .map(({ docid }) => docid)
}
