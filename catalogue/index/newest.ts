import type { Reader } from './reader.ts'
import { yearToken } from './schema.ts'

/** So many matches are sorted by their date; more are walked year by year. */
const sortable = 1000
const mostPerYear = 1000
const earliestYear = 1400
const latestYear = new Date().getFullYear() + 2

/**
 * The works that match, the latest published first; without a date last.
 *
 * @param expression what to match, in the language of FTS5
 * @param count how many are needed from the start
 * @returns at most count row ids (all matches sorted, when they are few)
 */
export function newestFirst(expression: string, reader: Reader, count: number): number[] {
  const all = reader.match(expression, { limit: sortable + 1 })
  if (all.length <= sortable) return byDate(all, reader)
  const found: number[] = []
  for (let year = latestYear; year >= earliestYear && found.length < count; year--) {
    const ofYear = `(${expression}) AND {meta} : "${yearToken(year)}"`
    found.push(...byDate(reader.match(ofYear, { limit: mostPerYear }), reader))
  }
  return found.slice(0, count)
}

/** Dates are yyyy, yyyy-MM or yyyy-MM-dd, so their texts sort as they do. */
function byDate(docids: number[], reader: Reader): number[] {
  return reader
    .docs(docids)
    .sort((a, b) => compare(b.publishedDate, a.publishedDate) || a.docid - b.docid)
    .map((doc) => doc.docid)
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
