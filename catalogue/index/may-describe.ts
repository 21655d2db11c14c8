import type { SearchForm } from '#shared/book.ts'
import { conceptStems, describedBy, describingWords } from './describe.ts'
import type { IndexReader } from './index-reader.ts'
import type { Clause, Unit } from './query.ts'
import { tellingStems } from './subject-index.ts'
import type { Candidates } from './window.ts'

/** A text whose words the names of some work explain this well is no description. */
const explainedByNames = 0.75
/** Taken as a description unasked, a text must be explained this well by what a work says. */
const explainedBySubject = 0.45
/** With so many words that tell something, a text that names nothing is a description. */
const longDescription = 5

/**
 * How much of a text, unasked, what a work says must explain: no more than names explain of it, by
 * words that are guessed.
 */
export function leastShare(q: string, found: Candidates): number {
  if (describingWords(q) >= longDescription) return 0
  return Math.min(explainedBySubject, Math.max(0, ...found.works().map((work) => work.coverage)))
}

/** Whether a text, unasked, is taken as a description: it tells something, but names nothing. */
export function mayDescribe(
  { mode, by, q }: SearchForm,
  clauses: Clause[],
  { works }: Candidates,
  isNamed: boolean,
  reader: IndexReader,
): boolean {
  const units = clauses.flatMap((clause) => clause.units)
  const weigh = (weighed: Unit[]) => weighed.reduce((sum, unit) => sum + unit.weight, 0)
  // A word that is nowhere describes nothing: it is a name, mistyped beyond what is put right.
  const meant = conceptStems(q)
  const isTelling = ({ word }: Unit) =>
    isKnown(word, reader) || tellingStems(word).some((stem) => meant.has(stem))
  const telling = weigh(units.filter(isTelling)) / weigh(units)
  const asked = units.filter((unit) => !unit.stop)
  // What is left of a name that is nowhere would bring books that have nothing to do with it.
  const isLost =
    describingWords(q) < longDescription && 2 * asked.filter(isTelling).length <= asked.length
  return (
    mode === 'auto' &&
    !isNamed &&
    by === '1' &&
    clauses.every((clause) => clause.field === 'text') &&
    (describingWords(q) === 1
      ? isOnlySubject(q, units, reader)
      : describingWords(q) > 1 &&
        !isLost &&
        !works().some((work) => work.coverage >= explainedByNames * telling))
  )
}

/** Whether a single word stands in no name or subject, nor begins one, but in what works tell. */
function isOnlySubject(q: string, units: Unit[], reader: IndexReader): boolean {
  const telling = units.filter((unit) => !unit.stop)
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
  return tellingStems(word).some((stem) => reader.countSubjects(`"${stem}"`, 1) > 0)
}
