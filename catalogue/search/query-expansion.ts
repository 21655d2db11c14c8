import type { Clause, TermForm, QueryTerm } from './query.ts'
import type { IndexReader } from '../reading/index-reader.ts'
import {
  allowedEdits,
  deletionKeys,
  editDistance,
  transliterations,
  phoneticKey,
  spellingKey,
  phoneticForm,
} from '../text/spelling.ts'
import { isStopWord, numberForms, numberOf, otherForm } from '../text/words.ts'

const mostCorrections = 12
/** The distance of a typo in the first letter. */
const otherStartDistance = 1.5
const mostOtherStarts = 6
/** How many times more popular a correction must be to be tried although there are results. */
const mistypedRatio = 8
const correctionWorth = 0.85
/** The penalty for each further wrong letter. */
const furtherCost = 0.06
/** The most phonetic matches: words spelled as they sound, or as in another language. */
const mostSounds = 16
const soundWorth = 0.7
const mostNumberWords = 5
/** A corrected prefix is worth less than a corrected word. */
const startWorth = 0.75
const guessed = true

/**
 * Expands a query with other forms of its words: corrected typos, joined or split words, numbers in
 * words or digits. Genre and phrase are then matched as single words.
 */
export function expandTerms(clauses: Clause[], reader: IndexReader): Clause[] {
  return clauses.map((clause) => {
    const numbers = writtenNumbers(clause.terms)
    const terms = clause.terms.map((term, i) => {
      const last = i === clause.terms.length - 1
      const neighbours = [clause.terms[i - 1]?.word, clause.terms[i + 1]?.word]
      if (term.stop) return term
      if (clause.field === 'publisher') return expandPublisher(term, reader)
      return expandTerm(term, reader, last, neighbours, numbers.get(term))
    })
    return { ...clause, terms, phrase: false }
  })
}

/** The numbers that several words form together: twenty two as 22. */
function writtenNumbers(terms: QueryTerm[]): Map<QueryTerm, string> {
  const found = new Map<QueryTerm, string>()
  for (let start = 0; start < terms.length; start++)
    for (let end = Math.min(terms.length, start + mostNumberWords); end > start + 1; end--) {
      const run = terms.slice(start, end)
      const number = numberOf(run.map((term) => term.word))
      if (number === null) continue
      for (const term of run) found.set(term, String(number))
      start = end - 1
      break
    }
  return found
}

function expandTerm(
  term: QueryTerm,
  reader: IndexReader,
  last: boolean,
  [before, after]: (string | undefined)[],
  number: string | undefined,
): QueryTerm {
  const forms = new Map<string, TermForm>()
  const add = (form: TermForm) => {
    const key = `${form.text}${form.prefix ? '*' : ''}`
    if (!forms.has(key)) forms.set(key, form)
  }
  term.forms.forEach(add)
  const other = otherForm(term.word)
  if (other !== undefined) add({ text: other, prefix: false, worth: 1 })
  for (const words of [...numberForms(term.word), ...(number === undefined ? [] : [[number]])])
    add({ text: words.join(' '), prefix: false, worth: correctionWorth })
  const joined = [before ? before + term.word : '', after ? term.word + after : '']
  for (const text of joined)
    if (text && reader.worksWith(text) > 0) add({ text, prefix: false, worth: 1 })
  const isNowhere = reader.worksWith(term.word) === 0
  if (isNowhere) splits(term.word, reader).forEach(add)
  corrections(term.word, reader, last).forEach(add)
  phoneticMatches(term.word, reader).forEach(add)
  if (isNowhere && forms.size === term.forms.length) twoEditsAway(term.word, reader).forEach(add)
  return { ...term, known: isKnown(term.word, reader), forms: [...forms.values()] }
}

/** Corrects publishers only to words of publishers, not of titles. */
function expandPublisher(term: QueryTerm, reader: IndexReader): QueryTerm {
  const limit = allowedEdits(term.word)
  const near = publisherStarts(term.word)
    .flatMap((start) => reader.publisherWords(start))
    .map((one) => ({ ...one, distance: editDistance(term.word, one.word, limit) }))
    .filter(({ distance }) => distance > 0 && distance <= limit)
    .sort((a, b) => a.distance - b.distance || b.works - a.works)
    .slice(0, mostCorrections)
  const forms = near.map(({ word }): TermForm => {
    return { text: word, prefix: false, worth: correctionWorth, guessed }
  })
  return { ...term, forms: [...term.forms, ...forms] }
}

/**
 * The possible prefixes of a mistyped word: unchanged, with two letters swapped, or without one.
 */
function publisherStarts(word: string): string[] {
  const starts = new Set([word.slice(0, publisherStart)])
  for (let i = 0; i < publisherStart; i++) {
    const [before, after] = [word.slice(0, i), word.slice(i + 1)]
    starts.add((before + after).slice(0, publisherStart))
    starts.add((before + after.slice(0, 1) + word[i] + after.slice(1)).slice(0, publisherStart))
  }
  return [...starts]
}

function splits(word: string, reader: IndexReader): TermForm[] {
  const found: { text: string; works: number }[] = []
  for (let i = 2; i <= word.length - 2; i++) {
    const [start, end] = [word.slice(0, i), word.slice(i)]
    const works = Math.min(reader.worksWith(start), reader.worksWith(end))
    if (works > 0) found.push({ text: `${start} ${end}`, works })
  }
  return found
    .sort((a, b) => b.works - a.works)
    .slice(0, 2)
    .map(({ text }) => ({ text, prefix: false, worth: correctionWorth }))
}

interface Correction {
  form: TermForm
  distance: number
  weight: number
}

function corrections(word: string, reader: IndexReader, last: boolean): TermForm[] {
  const limit = allowedEdits(word)
  if (limit === 0) return []
  const found: Correction[] = []
  for (const { term, weight } of reader.termsByDeletion(deletionKeys(word))) {
    // Stop words are never corrections.
    if (term === word || isStopWord(term)) continue
    const whole = editDistance(word, term, limit)
    const otherStart = term[0] === word[0] ? 0 : 0.5
    if (whole <= limit) {
      const distance = whole + otherStart
      const worth = correctionWorth - furtherCost * (distance - 1)
      found.push({ form: { text: term, prefix: false, worth, guessed }, distance, weight })
    } else if (last && word.length > 4 && term.length > word.length) {
      const start = term.slice(0, word.length)
      if (editDistance(word, start, 1) > 1) continue
      const form: TermForm = { text: start, prefix: true, worth: startWorth, guessed }
      found.push({ form, distance: 1.5 + otherStart, weight })
    }
  }
  const sorted = found.sort((a, b) => a.distance - b.distance || b.weight - a.weight)
  const best = sorted.slice(0, mostCorrections)
  // Typos in the first letter are rare and match many words.
  const others = sorted
    .filter(({ form, distance }) => distance === otherStartDistance && !form.prefix)
    .slice(0, mostOtherStarts)
  return [...new Set([...best, ...others])].map(({ form }) => form)
}

/** The prefix lengths that must be correct for two typos further on, in words and in publishers. */
const [furtherStart, publisherStart] = [4, 3]

/** Finds words with two typos, which share no deletion key: cantabury for canterbury. */
function twoEditsAway(word: string, reader: IndexReader): TermForm[] {
  const limit = allowedEdits(word)
  if (limit < 2) return []
  return reader
    .termsBegunBy(word.slice(0, furtherStart), word.length - limit, word.length + limit)
    .filter(({ term }) => !isStopWord(term) && editDistance(word, term, limit) <= limit)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, mostCorrections)
    .map(({ term }) => ({
      text: term,
      prefix: false,
      worth: correctionWorth - furtherCost * (limit - 1),
      guessed,
    }))
}

/** Finds words that sound alike: tail and tale, or the German dostojewski for Dostoevsky. */
function phoneticMatches(word: string, reader: IndexReader): TermForm[] {
  const spellings = transliterations(word)
  const keys = new Set(spellings.map(phoneticKey).filter((key) => key !== null))
  if (keys.size === 0) return []
  const phonetic = spellings.map(phoneticForm)
  const most = Math.max(2, Math.floor(word.length / 3))
  const distanceTo = (term: string) => {
    const written = editDistance(word, term, most)
    if (written <= most) return written
    // Compare the pronunciations, as spellings differ between languages.
    const distance = Math.min(...phonetic.map((each) => editDistance(each, phoneticForm(term), 1)))
    return distance > 1 ? Number.POSITIVE_INFINITY : most + distance
  }
  return reader
    .termsByDeletion([...keys].map((key) => spellingKey(key)))
    .filter(({ term }) => term !== word && keys.has(phoneticKey(term) ?? ''))
    .map(({ term, weight }) => ({ term, weight, distance: distanceTo(term) }))
    .filter(({ distance }) => Number.isFinite(distance))
    .sort((a, b) => a.distance - b.distance || b.weight - a.weight)
    .slice(0, mostSounds)
    .map(({ term }) => ({ text: term, prefix: false, worth: soundWorth, guessed }))
}

/** @returns the words that no work contains in any form */
export function unknownTerms(clauses: Clause[], reader: IndexReader): QueryTerm[] {
  const known = (form: TermForm) =>
    form.prefix
      ? reader.weightOfStart(form.text) !== null
      : form.text.split(' ').every((word) => reader.worksWith(word) > 0)
  return optionalTerms(clauses).filter((term) => !term.forms.some(known))
}

/**
 * Whether a word looks like a typo of a far more popular one although there are works with it as
 * typed. If none of those is likely to be meant, any correction counts.
 */
export function looksMistyped(clauses: Clause[], reader: IndexReader, likely: boolean): boolean {
  return optionalTerms(clauses).some((term) => {
    const weights = term.forms.map((form) => formWeight(form, reader))
    const best = bestCorrection(term.word, reader)
    return likely ? best > mistypedRatio * (1 + Math.max(...weights)) : best > 0
  })
}

/** Whether two neighbouring words are written as one in some title: “full metal” for Fullmetal. */
export function looksTornApart(clauses: Clause[], reader: IndexReader): boolean {
  return clauses.some(({ field, terms }) =>
    terms.some(({ word }, i) => {
      const next = terms[i + 1]
      return field === 'text' && next !== undefined && reader.worksWith(word + next.word) > 0
    }),
  )
}

function isKnown(word: string, reader: IndexReader): boolean {
  const weight = reader.weightOf(word)
  return weight > 0 && bestCorrection(word, reader) <= mistypedRatio * (1 + weight)
}

function formWeight(form: TermForm, reader: IndexReader): number {
  return form.prefix ? (reader.weightOfStart(form.text) ?? 0) : reader.weightOf(form.text)
}

function bestCorrection(word: string, reader: IndexReader): number {
  if (allowedEdits(word) === 0) return 0
  let best = 0
  for (const { term, weight } of reader.termsByDeletion(deletionKeys(word)))
    if (weight > best && term !== word && editDistance(word, term, 1) === 1) best = weight
  return best
}

/** @returns the free-text words that may be dropped; filled fields must match */
export function optionalTerms(clauses: Clause[]): QueryTerm[] {
  return clauses
    .filter((clause) => clause.field === 'text')
    .flatMap((clause) => clause.terms.filter((term) => !term.stop))
}
