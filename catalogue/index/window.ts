import type { Clause, QueryTerm } from './query.ts'
import { matchExpression, nameColumns } from './query.ts'
import type { IndexReader } from './index-reader.ts'
import { expandTerms } from './query-expansion.ts'
import { bucketOfDocid } from './schema.ts'
import type { ScoredDoc, TokenizedDoc } from './score.ts'
import { scoreDoc, tokenizeDoc } from './score.ts'
import { hash } from './words.ts'

/** Works in this class of popularity and above are read by more than one or two. */
const readBucket = 6

/** Works are read so many at once, and no more of them than it takes to know enough. */
const readAtOnce = 50

/** As many of the most popular matches are weighed against each other. */
export const windowSize = 150

export interface Candidates {
  /** All that were weighed, in no order. */
  docids: readonly number[]
  /** Best first; they are weighed when they are first asked for, a late page asks for none. */
  works: () => ScoredDoc[]
  /** What finds the works behind the window, in order of popularity; null when all are in it. */
  expression: string | null
  /** Everything up to this row id is in the window. */
  lastDocid: number
  /** Those of the window that are known to match the expression. */
  matching: ReadonlySet<number>
  /** What was matched in the end, guesses included. */
  matched: string[]
  /** The ways in which the question was understood. */
  interpretations: readonly Clause[][]
}

/** One way to understand the question; the less literal, the more it costs. */
interface Interpretation {
  clauses: Clause[]
  penalty: number
}

/** The works found so far, each scored under the interpretation that suits it best. */
export class Window {
  readonly #reader: IndexReader
  #interpretations: Interpretation[]
  readonly #texts = new Map<number, TokenizedDoc>()
  /** What the works are worth under the interpretations so far. */
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

  /** The question to the letter. */
  get literal(): Clause[] {
    return this.#interpretations[0]?.clauses ?? []
  }

  /** The question as freely as it is understood. */
  get broadest(): Clause[] {
    return this.#interpretations.at(-1)?.clauses ?? []
  }

  /** Works whose whole title was asked for, and nothing else. */
  addTitled([clause, ...others]: Clause[]): void {
    if (!clause || others.length > 0 || clause.phrase || !['text', 'title'].includes(clause.field))
      return
    for (const docid of this.#reader.titled(clause.keys.map(hash))) this.#docids.add(docid)
  }

  /** Understands the question in one more way; letters still being typed are not matched. */
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

  /** Free text in titles and authors only, so that popular subjects do not fill the window. */
  matchNames(clauses: Clause[], without: ReadonlySet<QueryTerm> = new Set()): number[] {
    const expression = matchExpression(clauses, without, nameColumns)
    return expression === null ? [] : this.match(expression)
  }

  /** From now on every interpretation holds typos put right. */
  expand(): void {
    this.#scores.clear()
    this.#interpretations = this.#interpretations.map(({ clauses, penalty }) => ({
      clauses: expandTerms(clauses, this.#reader),
      penalty,
    }))
  }

  /**
   * How much of the question the work explains that explains every word best, 0 if none does; and
   * whether such a work is likely to be meant: its title was typed, or people read it.
   *
   * @param enough when so much is explained by one, and one is likely, no further is looked at
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
