import type { Clause, QueryTerm } from './query.ts'
import { matchExpression, nameColumns } from './query.ts'
import type { IndexReader } from '../reading/index-reader.ts'
import { expandTerms } from './query-expansion.ts'
import { bucketOfDocid } from '../index/schema.ts'
import type { ScoredDoc, TokenizedDoc } from './score.ts'
import { scoreDoc, tokenizeDoc } from './score.ts'
import { hash } from '../text/words.ts'

/** The lowest class of popularity of works with more than one or two readers. */
const readBucket = 6

/** Works per read; reading stops when enough is known. */
const readAtOnce = 50

/** The number of most popular matches that are scored. */
export const windowSize = 150

export interface Candidates {
  /** All scored works, unordered. */
  docids: readonly number[]
  /** Best first; scored on first use, as late pages need none. */
  works: () => ScoredDoc[]
  /** The expression for works beyond the window, by popularity; null if all are in it. */
  expression: string | null
  /** Everything up to this docid is in the window. */
  lastDocid: number
  /** The window's works that are known to match the expression. */
  matching: ReadonlySet<number>
  /** The matched expressions, including guesses. */
  matched: string[]
  /** The interpretations of the query. */
  interpretations: readonly Clause[][]
}

/** One interpretation of the query; the less literal, the higher the penalty. */
interface Interpretation {
  clauses: Clause[]
  penalty: number
}

/** The works found so far, each with the score of its best interpretation. */
export class Window {
  readonly #reader: IndexReader
  #interpretations: Interpretation[]
  readonly #texts = new Map<number, TokenizedDoc>()
  /** The works' scores under the interpretations so far. */
  readonly #scores = new Map<number, ScoredDoc>()
  #docids = new Set<number>()
  readonly #matched: string[] = []

  constructor(clauses: Clause[], reader: IndexReader) {
    this.#interpretations = [{ clauses, penalty: 0 }]
    this.#reader = reader
  }

  get size(): number {
    return this.#docids.size
  }

  /** The literal query. */
  get literal(): Clause[] {
    return this.#interpretations[0]?.clauses ?? []
  }

  /** The broadest interpretation. */
  get broadest(): Clause[] {
    return this.#interpretations.at(-1)?.clauses ?? []
  }

  /** Adds works whose whole title is the query. */
  addTitled([clause, ...others]: Clause[]): void {
    if (!clause || others.length > 0 || clause.phrase || !['text', 'title'].includes(clause.field))
      return
    for (const docid of this.#reader.titled(clause.keys.map(hash))) this.#docids.add(docid)
  }

  /** Adds an interpretation; letters still being typed aren't matched. */
  interpret(clauses: Clause[], penalty: number): void {
    this.#interpretations.push({ clauses, penalty })
    this.#scores.clear()
    this.addTitled(clauses)
    const unfinished = clauses.flatMap((clause) => clause.terms.filter((term) => term.unfinished))
    const expression = matchExpression(clauses, new Set(unfinished))
    if (expression === null) return
    if (this.match(expression).length === windowSize) this.matchNames(clauses, new Set(unfinished))
  }

  match(expression: string): number[] {
    const docids = this.#reader.match(expression, windowSize)
    if (docids.length > 0) this.#matched.push(expression)
    for (const docid of docids) this.#docids.add(docid)
    return docids
  }

  /**
   * Matches free text only in titles and authors, so that popular subjects don't fill the window.
   */
  matchNames(clauses: Clause[], without: ReadonlySet<QueryTerm> = new Set()): number[] {
    const expression = matchExpression(clauses, without, nameColumns)
    return expression === null ? [] : this.match(expression)
  }

  /** From now on every interpretation includes corrections. */
  expand(): void {
    this.#scores.clear()
    this.#interpretations = this.#interpretations.map(({ clauses, penalty }) => ({
      clauses: expandTerms(clauses, this.#reader),
      penalty,
    }))
  }

  /**
   * The best coverage among works that explain every word, 0 if none does, and whether such a work
   * is likely to be meant: its title was typed, or it is widely read.
   *
   * @param enough stops at a likely work with this coverage
   */
  best(enough: number): { coverage: number; likely: boolean } {
    let coverage = 0
    let likely = false
    for (const work of this.#scored()) {
      if (!work.complete) continue
      coverage = Math.max(coverage, work.coverage)
      likely ||= work.whole || bucketOfDocid(work.doc.docid) >= readBucket
      if (likely && coverage >= enough) break
    }
    return { coverage, likely }
  }

  dropBelow(coverage: number): void {
    const kept = [...this.#scored()].filter((work) => work.coverage >= coverage)
    this.#docids = new Set(kept.map((work) => work.doc.docid))
  }

  result(
    expression: string | null,
    lastDocid: number,
    matching: Iterable<number> = [],
  ): Candidates {
    let works: ScoredDoc[] | null = null
    return {
      docids: [...this.#docids],
      works: () =>
        (works ??= [...this.#scored()].sort(
          (a, b) => b.score - a.score || a.doc.docid - b.doc.docid,
        )),
      expression,
      lastDocid,
      matching: new Set(matching),
      matched: this.#matched,
      interpretations: this.#interpretations.map(({ clauses }) => clauses),
    }
  }

  *#scored(): Generator<ScoredDoc> {
    const docids = [...this.#docids]
    for (let start = 0; start < docids.length; start += readAtOnce) {
      const some = docids.slice(start, start + readAtOnce)
      const unread = some.filter((docid) => !this.#texts.has(docid))
      for (const doc of this.#reader.docs(unread)) this.#texts.set(doc.docid, tokenizeDoc(doc))
      for (const docid of some) {
        const text = this.#texts.get(docid)
        if (!text) continue
        yield this.#scores.getOrInsertComputed(docid, () => this.#score(text))
      }
    }
  }

  #score(text: TokenizedDoc): ScoredDoc {
    const scores = this.#interpretations.map(({ clauses, penalty }) => {
      const scored = scoreDoc(text, clauses)
      return { ...scored, score: scored.score - penalty }
    })
    return scores.reduce((best, next) => ({
      doc: text.doc,
      score: Math.max(best.score, next.score),
      coverage: Math.max(best.coverage, next.coverage),
      complete: best.complete || next.complete,
      whole: best.whole || next.whole,
    }))
  }
}
