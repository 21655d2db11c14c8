import type { Clause, QueryTerm } from './query.ts'
import { matchExpression, totalWeight, withPrefix, withoutNoise, withVolumes } from './query.ts'
import type { IndexReader } from '../reading/index-reader.ts'
import { looksMistyped, looksTornApart, optionalTerms, unknownTerms } from './query-expansion.ts'
import type { Candidates } from './window.ts'
import { Window, windowSize } from './window.ts'

/** Milliseconds after which no further guess is started. */
const patience = 150
/** With words left out, a work must still cover this share of the query. */
const minCoverage = 0.4
/**
 * If a word is unknown, the others must match by more than their sound; matching another title is
 * enough.
 */
const minOfOthers = 0.75
const rarestWords = 4
/** With a work of this coverage no guesses are made. */
const strongCoverage = 0.93
/** A title that contains the noise word is preferred. */
const noisePenalty = 0.8
/** This many works with all words are enough, even if the words are only subjects. */
const enoughMatches = 5

/**
 * Finds the works a query may mean with a few bounded index queries: the whole title, then all
 * words by popularity, and only if no work explains all words, corrections, then one word left out,
 * then any of the rarest words.
 */
export function findCandidates(clauses: Clause[], reader: IndexReader): Candidates {
  const until = performance.now() + patience
  const window = new Window(clauses, reader)
  const everywhere = matchExpression(clauses)
  if (everywhere === null) return window.result(null, 0)
  window.addTitled(clauses)
  const found = window.match(everywhere)
  const named = found.length === windowSize ? window.matchNames(clauses) : []
  const unadorned = withoutNoise(clauses)
  if (unadorned) window.interpret(unadorned, noisePenalty)
  const numbered = withVolumes(clauses, reader)
  if (numbered) window.interpret(numbered, 0)
  const open = withPrefix(clauses)
  if (open) window.interpret(open, 0)
  const { coverage, likely } = window.best(strongCoverage)
  const enough = coverage > 0 || found.length >= enoughMatches
  if (
    !(unadorned && looksTornApart(clauses, reader)) &&
    ((coverage >= strongCoverage && likely) || (enough && !looksMistyped(clauses, reader, likely)))
  ) {
    const more = found.length === windowSize
    return window.result(more ? everywhere : null, found.at(-1) ?? 0, [...found, ...named])
  }
  relax(window, reader, until)
  return window.result(null, 0)
}

function relax(window: Window, reader: IndexReader, until: number): void {
  window.expand()
  const clauses = window.broadest
  const free = optionalTerms(clauses)
  const unknown = unknownTerms(clauses, reader)
  const attempts: [Clause[], QueryTerm[]][] = [
    [window.literal, unknownTerms(window.literal, reader)],
    [clauses, unknown],
    // Leave out the least informative word first, among those that aren't found as typed.
    ...free
      .toSorted((a, b) => isWritten(a, reader) - isWritten(b, reader) || a.weight - b.weight)
      .map((term): [Clause[], QueryTerm[]] => [clauses, [...unknown, term]]),
  ]
  const tried = new Set<string>()
  for (const [i, [asked, left]] of attempts.entries()) {
    if (window.size > 0 && i > 1) return
    const expression = expressionWithout(asked, left)
    if (expression === null || tried.has(expression)) continue
    if (tried.size > 0 && performance.now() > until) return
    tried.add(expression)
    if (window.match(expression).length === windowSize) window.matchNames(asked, new Set(left))
    if (left.length > 0)
      window.dropBelow(i > 1 ? minCoverage : minOfOthers * shareWithout(left, free))
  }
  if (window.size > 0) return
  matchAnyWord(window, clauses, free, until)
  window.dropBelow(minCoverage)
}

/** A prefix of this length is as informative as a word: miserab. */
const sayingStart = 5

/** @returns 1 for a word or prefix that occurs in some work; 0 if there are only guesses */
function isWritten({ word, forms }: QueryTerm, reader: IndexReader): number {
  const isStart = forms.some(({ prefix, text }) => prefix && text === word)
  if (isStart && word.length >= sayingStart && reader.weightOfStart(word) !== null) return 1
  return Math.min(1, reader.worksWith(word))
}

/** @returns the share of the query that remains without some words, 0 to 1 */
function shareWithout(left: QueryTerm[], free: QueryTerm[]): number {
  return 1 - totalWeight(left) / totalWeight(free)
}

/** @returns null if no free text would remain, or only numbers, which some volume always has */
function expressionWithout(clauses: Clause[], left: QueryTerm[]): string | null {
  const free = optionalTerms(clauses)
  const kept = free.filter((term) => !left.includes(term))
  const isNothing = free.length > 0 && (kept.length === 0 || (left.length > 0 && areNumbers(kept)))
  return isNothing ? null : matchExpression(clauses, new Set(left))
}

const areNumbers = (terms: QueryTerm[]) => terms.every(({ word }) => /^\d+$/.test(word))

function matchAnyWord(window: Window, clauses: Clause[], free: QueryTerm[], until: number): void {
  const rarest = free.toSorted((a, b) => b.weight - a.weight).slice(0, rarestWords)
  for (const term of rarest) {
    if (performance.now() > until) return
    const others = free.filter((other) => other !== term)
    const expression = expressionWithout(clauses, others)
    if (expression !== null) window.match(expression)
  }
}
