import type { Clause } from './query.ts'
import type { Doc } from '../reading/index-reader.ts'
import { separator } from '../text/fold.ts'
import { allowedEdits, editDistance, shortestCorrected } from '../text/spelling.ts'

/**
 * The query corrected by the best result: "frankenstien shelly" as "frankenstein shelley".
 *
 * @returns null if it is correct, or a word has no similar one in the title and author
 */
export function correctedQuery(clauses: Clause[], best: Doc): string | null {
  const [clause] = clauses
  if (clauses.length !== 1 || clause?.field !== 'text') return null
  const text = `${best.title}${best.alt}${best.author}${best.subject}`
  const words = `${best.title}${best.author}`
    .split(' ')
    .filter((word) => word.length >= shortestCorrected && word !== separator)
  let isPutRight = false
  const meant = clause.terms.map((term) => {
    if (term.stop || text.includes(` ${term.word}`)) return term.word
    const limit = allowedEdits(term.word)
    const [near] = words
      .map((word) => ({ word, distance: editDistance(term.word, word, limit) }))
      .filter(({ distance }) => distance <= limit)
      .sort((a, b) => a.distance - b.distance)
    isPutRight ||= near !== undefined
    return near?.word
  })
  return isPutRight && meant.every((word) => word !== undefined) ? meant.join(' ') : null
}
