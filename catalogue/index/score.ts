import { separator } from './fold.ts'
import type { Clause, Field, Form, Unit } from './query.ts'
import type { Doc } from './reader.ts'
import { bucketOfDocid, topBucket } from './schema.ts'
import { isStopWord, titleKeys } from './words.ts'

export interface Scored {
  doc: Doc
  score: number
  /** Share of the question found, 0 to 1, rarer words counting more. */
  coverage: number
  /** Every word that is no stop word was found in title or author, or in the field asked. */
  complete: boolean
}

/** What a word found here is worth. Found nowhere of these it is worth nothing. */
const worthOf: Record<Field, [keyof Texts, number][]> = {
  text: [
    ['title', 1],
    ['author', 0.95],
    ['alt', 0.8],
    ['subject', 0.35],
  ],
  title: [
    ['title', 1],
    ['alt', 0.8],
  ],
  author: [['author', 1]],
  genre: [['subject', 1]],
  publisher: [],
}
type Texts = Pick<Doc, 'title' | 'alt' | 'author' | 'subject'>

/**
 * How well a work answers a question: mostly the share of its words found, then whether it is the
 * whole title or author, then how widely the work is read.
 */
export function scoreDoc(doc: Doc, clauses: Clause[]): Scored {
  let asked = 0
  let found = 0
  let complete = true
  let bonus = 0
  for (const clause of clauses) {
    const places = worthOf[clause.field]
    if (places.length === 0) continue
    const inTitle = clause.field === 'text' || clause.field === 'title'
    const whole = inTitle ? wholeTitle(doc, clause) : 0
    for (const unit of clause.units) {
      const { worth, named } = bestPlace(doc, unit, places)
      asked += unit.weight
      found += unit.weight * Math.max(worth, whole)
      if (whole === 0 && !unit.stop && !(clause.field === 'text' ? named : worth > 0))
        complete = false
    }
    if (inTitle) bonus += titleBonus(doc, clause, whole)
    if (clause.field === 'text' || clause.field === 'author') bonus += authorBonus(doc, clause)
  }
  const coverage = asked === 0 ? 1 : found / asked
  const popularity = (3 * bucketOfDocid(doc.docid)) / topBucket
  return { doc, score: 7 * coverage + bonus + popularity, coverage, complete }
}

/** 1 when the question is the title, .8 when it is another title, however it is spaced. */
function wholeTitle(doc: Doc, clause: Clause): number {
  const keys = titleKeys(clause.folded)
  const same = (text: string) => titleKeys(text).some((key) => keys.includes(key))
  // Texts in pairs of characters are compared as such; their keys are made from whole words.
  const title = printed(doc.title)
  if (same(title) || title === clause.tokens.join(' ')) return 1
  return pieces(doc.alt).some(same) ? 0.8 : 0
}

function bestPlace(
  doc: Doc,
  unit: Unit,
  places: [keyof Texts, number][],
): { worth: number; named: boolean } {
  let worth = 0
  let named = false
  for (const form of unit.forms)
    for (const [place, value] of places) {
      if (!holds(doc[place], form)) continue
      worth = Math.max(worth, form.worth * value)
      if (place !== 'subject') named = true
    }
  return { worth, named }
}

function holds(text: string, form: Form): boolean {
  return text.includes(form.prefix ? ` ${form.text}` : ` ${form.text} `)
}

function titleBonus(doc: Doc, clause: Clause, whole: number): number {
  const title = printed(doc.title)
  let total = 0
  let explained = 0
  for (const word of title.split(' ')) {
    const weight = isStopWord(word) ? 0.2 : 1
    total += weight
    if (clause.units.some((unit) => explains(unit, word))) explained += weight
  }
  const share = whole === 1 ? 1 : explained / total
  const begins = title.startsWith(clause.tokens.join(' ')) ? 0.4 : 0
  return 0.8 * share + begins + exactBonus(doc, clause, whole, share)
}

function exactBonus(doc: Doc, clause: Clause, whole: number, share: number): number {
  if (whole === 1) return 1.2
  const inAuthor = (unit: Unit) => unit.forms.some((form) => holds(doc.author, form))
  const inTitle = (unit: Unit) => unit.forms.some((form) => holds(doc.title, form))
  const all = clause.units.every((unit) => inAuthor(unit) || inTitle(unit))
  if (share === 1 && all && clause.units.some(inAuthor)) return 0.9
  return whole > 0 ? 0.85 : 0
}

function explains(unit: Unit, word: string): boolean {
  return unit.forms.some((form) =>
    form.prefix ? word.startsWith(form.text) : form.text.split(' ').includes(word),
  )
}

/** The whole name was asked for, in any order: the author's books are meant. */
function authorBonus(doc: Doc, clause: Clause): number {
  const matches = pieces(doc.author).some((name) => {
    const words = name.split(' ')
    return (
      words.every((word) => clause.units.some((unit) => explains(unit, word))) &&
      clause.units.every((unit) => words.some((word) => explains(unit, word)))
    )
  })
  return matches ? 2.4 : 0
}

/** A column's first text as printed, without its other spellings. */
function printed(column: string): string {
  return (column.split(separator)[0] ?? '').trim()
}

function pieces(column: string): string[] {
  return column.split(separator).map((piece) => piece.trim())
}
