import type { Clause, Unit } from './query.ts'
import { matchExpression, nameColumns, withOpenEnd, withoutNoise } from './query.ts'
import type { Doc, Reader } from './reader.ts'
import { freeUnits, looksMistyped, unknownUnits, withGuesses } from './relax.ts'
import type { Scored } from './score.ts'
import { scoreDoc } from './score.ts'
import { hash, titleKeys } from './words.ts'

/** As many of the most popular matches are weighed against each other. */
export const windowSize = 150
/** No further guess is begun after this many milliseconds. */
const patience = 150
/** With words left out, a work must still answer this share of the question. */
const leastCoverage = 0.4
const rarestWords = 4
/** A work that explains all words this well leaves no room for guesses. */
const strongCoverage = 0.93
/** A title that holds the noise word itself was rather meant. */
const noisePenalty = 0.8
/** So many works that hold every word are an answer, even if only as their subject. */
const enoughMatches = 5

export interface Candidates {
  /** Best first. */
  works: Scored[]
  /** What finds the works behind the window, in order of popularity; null when all are in it. */
  expression: string | null
  /** Everything up to this row id is in the window. */
  lastDocid: number
  /** What was matched in the end, guesses included. */
  matched: string[]
}

/**
 * The works a question may mean, from a few index steps of bounded length: the whole title, all
 * words in order of popularity, and only when no work explains all words, guesses at typos, then
 * without one word, then any of the rarest words.
 */
export function findCandidates(clauses: Clause[], reader: Reader): Candidates {
  const until = performance.now() + patience
  const window = new Window(clauses, reader)
  const everywhere = matchExpression(clauses)
  if (everywhere === null) return { works: [], expression: null, lastDocid: 0, matched: [] }
  window.addTitled(clauses)
  const found = window.match(everywhere)
  if (found.length === windowSize) window.matchNames(clauses)
  const unadorned = withoutNoise(clauses)
  if (unadorned) window.read(unadorned, noisePenalty)
  const open = withOpenEnd(clauses)
  if (open) window.read(open, 0)
  const enough = window.bestCoverage() > 0 || found.length >= enoughMatches
  if (window.bestCoverage() >= strongCoverage || (enough && !looksMistyped(clauses, reader))) {
    const more = found.length === windowSize
    return window.result(more ? everywhere : null, found.at(-1) ?? 0)
  }
  relax(window, reader, until)
  return window.result(null, 0)
}

function relax(window: Window, reader: Reader, until: number): void {
  window.guess()
  const clauses = window.lastReading
  const free = freeUnits(clauses)
  const unknown = unknownUnits(clauses, reader)
  const attempts: [Clause[], Unit[]][] = [
    [window.firstReading, unknownUnits(window.firstReading, reader)],
    [clauses, unknown],
    // The word that tells least is left out first.
    ...free
      .toSorted((a, b) => a.weight - b.weight)
      .map((unit): [Clause[], Unit[]] => [clauses, [...unknown, unit]]),
  ]
  const tried = new Set<string>()
  for (const [i, [reading, left]] of attempts.entries()) {
    const expression = expressionWithout(reading, left)
    if (expression === null || tried.has(expression)) continue
    if (tried.size > 0 && performance.now() > until) return
    tried.add(expression)
    window.match(expression)
    window.matchNames(reading, new Set(left))
    if (i > 1) window.forgetBelow(leastCoverage)
    if (window.size > 0 && i > 0) return
  }
  if (window.size > 0) return
  matchAnyWord(window, clauses, free, until)
  window.forgetBelow(leastCoverage)
}

/** @returns null when no word of free text would be left */
function expressionWithout(clauses: Clause[], left: Unit[]): string | null {
  const free = freeUnits(clauses).length
  return free > 0 && left.length >= free ? null : matchExpression(clauses, new Set(left))
}

function matchAnyWord(window: Window, clauses: Clause[], free: Unit[], until: number): void {
  const rarest = free.toSorted((a, b) => b.weight - a.weight).slice(0, rarestWords)
  for (const unit of rarest) {
    if (performance.now() > until) return
    const others = new Set(free.filter((other) => other !== unit))
    const expression = matchExpression(clauses, others)
    if (expression !== null) window.match(expression)
  }
}

/** One way to understand the question; the less literal, the more it costs. */
interface Reading {
  clauses: Clause[]
  penalty: number
}

/** The works found so far, each scored under the reading that suits it best. */
class Window {
  readonly #reader: Reader
  #readings: Reading[]
  readonly #docs = new Map<number, Doc>()
  #docids = new Set<number>()
  #matched: string[] = []

  constructor(clauses: Clause[], reader: Reader) {
    this.#readings = [{ clauses, penalty: 0 }]
    this.#reader = reader
  }

  get size(): number {
    return this.#docids.size
  }

  /** The question to the letter. */
  get firstReading(): Clause[] {
    return this.#readings[0]?.clauses ?? []
  }

  /** The question as freely as it is understood. */
  get lastReading(): Clause[] {
    return this.#readings.at(-1)?.clauses ?? []
  }

  /** Works whose whole title was asked for, and nothing else. */
  addTitled([clause, ...others]: Clause[]): void {
    if (!clause || others.length > 0 || clause.phrase || !['text', 'title'].includes(clause.field))
      return
    for (const docid of this.#reader.titled(titleKeys(clause.folded).map(hash)))
      this.#docids.add(docid)
  }

  /** Understands the question in one more way; letters still being typed are not matched. */
  read(clauses: Clause[], penalty: number): void {
    this.#readings.push({ clauses, penalty })
    this.addTitled(clauses)
    const unfinished = clauses.flatMap((clause) => clause.units.filter((unit) => unit.unfinished))
    const expression = matchExpression(clauses, new Set(unfinished))
    if (expression === null) return
    if (this.match(expression).length === windowSize) this.matchNames(clauses, new Set(unfinished))
  }

  match(expression: string): number[] {
    const docids = this.#reader.match(expression, { limit: windowSize })
    if (docids.length > 0) this.#matched.push(expression)
    for (const docid of docids) this.#docids.add(docid)
    return docids
  }

  /** Free text in titles and authors only, so that popular subjects do not fill the window. */
  matchNames(clauses: Clause[], without: ReadonlySet<Unit> = new Set()): void {
    const expression = matchExpression(clauses, without, nameColumns)
    if (expression !== null) this.match(expression)
  }

  /** From now on every reading holds typos put right. */
  guess(): void {
    this.#readings = this.#readings.map(({ clauses, penalty }) => ({
      clauses: withGuesses(clauses, this.#reader),
      penalty,
    }))
  }

  /** How much of the question the work explains that explains every word best; 0 if none does. */
  bestCoverage(): number {
    const complete = this.#scored().filter((work) => work.complete)
    return Math.max(0, ...complete.map((work) => work.coverage))
  }

  forgetBelow(coverage: number): void {
    const kept = this.#scored().filter((work) => work.coverage >= coverage)
    this.#docids = new Set(kept.map((work) => work.doc.docid))
  }

  result(expression: string | null, lastDocid: number): Candidates {
    const works = this.#scored().sort((a, b) => b.score - a.score || a.doc.docid - b.doc.docid)
    return { works, expression, lastDocid, matched: this.#matched }
  }

  #scored(): Scored[] {
    const unread = [...this.#docids].filter((docid) => !this.#docs.has(docid))
    for (const doc of this.#reader.docs(unread)) this.#docs.set(doc.docid, doc)
    const docs = [...this.#docids].flatMap((docid) => this.#docs.get(docid) ?? [])
    return docs.map((doc) => {
      const scores = this.#readings.map(({ clauses, penalty }) => {
        const scored = scoreDoc(doc, clauses)
        return { ...scored, score: scored.score - penalty }
      })
      return scores.reduce((best, next) => ({
        doc,
        score: Math.max(best.score, next.score),
        coverage: Math.max(best.coverage, next.coverage),
        complete: best.complete || next.complete,
      }))
    })
  }
}
