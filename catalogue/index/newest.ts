import type { Reader } from './reader.ts'
import { yearToken } from './schema.ts'

/** So many matches are sorted by their date; more are walked year by year. */
const sortable = 1000
const mostPerYear = 1000

/** Works in the order of their dates, found as far as they are needed. */
export interface Timeline {
  /** @returns row ids from the start, at most count of them */
  first(count: number): number[]
}

/**
 * The works that match, the latest published first; without a date last.
 *
 * @param expression what to match, in the language of FTS5
 */
export function newestFirst(expression: string, reader: Reader): Timeline {
  const all = reader.match(expression, { limit: sortable + 1 })
  if (all.length <= sortable) {
    const sorted = byDate(all, reader)
    return { first: (count) => sorted.slice(0, count) }
  }
  const found: number[] = []
  const years = reader.years()
  let next = 0
  return {
    first(count) {
      for (; next < years.length && found.length < count; next++) {
        const ofYear = `(${expression}) AND {meta} : "${yearToken(years[next] ?? 0)}"`
        found.push(...byDate(reader.match(ofYear, { limit: mostPerYear }), reader))
      }
      return found.slice(0, count)
    },
  }
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
