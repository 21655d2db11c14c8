import type { Clause, Unit } from './query.ts'
import { matchExpression, nameColumns } from './query.ts'
import type { Reader } from './reader.ts'
import { freeUnits, noiseUnits, unknownUnits, withGuesses } from './relax.ts'
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
 * without noise words, then without one word, then any of the rarest words.
 */
export function findCandidates(clauses: Clause[], reader: Reader): Candidates {
  const until = performance.now() + patience
  const window = new Window(clauses, reader)
  const everywhere = matchExpression(clauses)
  if (everywhere === null) return { works: [], expression: null, lastDocid: 0, matched: [] }
  window.addTitled()
  const found = window.match(everywhere)
  const names = matchExpression(clauses, new Set(), nameColumns)
  if (found.length === windowSize && names !== null) window.match(names)
  if (window.hasComplete() || found.length >= enoughMatches) {
    const more = found.length === windowSize
    return window.result(more ? everywhere : null, found.at(-1) ?? 0)
  }
  relax(window, reader, until)
  return window.result(null, 0)
}

function relax(window: Window, reader: Reader, until: number): void {
  window.clauses = withGuesses(window.clauses, reader)
  const unknown = unknownUnits(window.clauses, reader)
  const noise = noiseUnits(window.clauses)
  const free = freeUnits(window.clauses)
  const attempts: Unit[][] = [
    unknown,
    [...unknown, ...noise],
    // The word that tells least is left out first.
    ...free.toSorted((a, b) => a.weight - b.weight).map((unit) => [...unknown, unit]),
  ]
  const tried = new Set<string>()
  for (const [i, left] of attempts.entries()) {
    if (free.length > 0 && left.length >= free.length) continue
    const expression = matchExpression(window.clauses, new Set(left))
    if (expression === null || tried.has(expression)) continue
    if (tried.size > 0 && performance.now() > until) return
    tried.add(expression)
    window.match(expression)
    const names = matchExpression(window.clauses, new Set(left), nameColumns)
    if (names !== null) window.match(names)
    if (i > 0) window.forgetBelow(leastCoverage)
    if (window.size > 0) return
  }
  matchAnyWord(window, free, until)
  window.forgetBelow(leastCoverage)
}

function matchAnyWord(window: Window, free: Unit[], until: number): void {
  const rarest = free.toSorted((a, b) => b.weight - a.weight).slice(0, rarestWords)
  for (const unit of rarest) {
    if (performance.now() > until) return
    const others = new Set(free.filter((other) => other !== unit))
    const expression = matchExpression(window.clauses, others)
    if (expression !== null) window.match(expression)
  }
}

/** The works found so far, each scored once it is asked how well it answers. */
class Window {
  clauses: Clause[]
  readonly #reader: Reader
  #docids = new Set<number>()
  #matched: string[] = []

  constructor(clauses: Clause[], reader: Reader) {
    this.clauses = clauses
    this.#reader = reader
  }

  get size(): number {
    return this.#docids.size
  }

  /** Works whose whole title was asked for, and nothing else. */
  addTitled(): void {
    const [clause, ...others] = this.clauses
    if (!clause || others.length > 0 || clause.phrase || !['text', 'title'].includes(clause.field))
      return
    for (const docid of this.#reader.titled(titleKeys(clause.folded).map(hash)))
      this.#docids.add(docid)
  }

  match(expression: string): number[] {
    const docids = this.#reader.match(expression, { limit: windowSize })
    if (docids.length > 0) this.#matched.push(expression)
    for (const docid of docids) this.#docids.add(docid)
    return docids
  }

  hasComplete(): boolean {
    return this.#scored().some((work) => work.complete)
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
    return this.#reader.docs([...this.#docids]).map((doc) => scoreDoc(doc, this.clauses))
  }
}
