import type { Reader } from './reader.ts'
import { yearToken } from './schema.ts'

/** So many matches are sorted by their date; more are walked year by year. */
const sortable = 1000
const mostPerYear = 1000

/** Works in the order of their dates, found as far as they are needed. */
export interface Timeline {
  /** @returns row ids from a place on, at most count of them */
  slice(start: number, count: number): number[]
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
    return { slice: (start, count) => sorted.slice(start, start + count) }
  }
  const years = reader.years()
  const found: Year[] = []
  const year = (i: number): Year => {
    const ofYear = `(${expression}) AND {meta} : "${yearToken(years[i] ?? 0)}"`
    const docids = found[i]?.docids ?? reader.match(ofYear, { limit: mostPerYear })
    return (found[i] ??= { docids, isSorted: false })
  }
  return {
    slice(start, count) {
      const slice: number[] = []
      let before = 0
      for (let i = 0; i < years.length && slice.length < count; i++) {
        const { docids, isSorted } = year(i)
        const from = Math.max(0, start - before)
        before += docids.length
        if (from >= docids.length) continue
        // Years that are only passed over need no order among themselves.
        if (!isSorted) found[i] = { docids: byDate(docids, reader), isSorted: true }
        slice.push(...(found[i]?.docids.slice(from, from + count - slice.length) ?? []))
      }
      return slice
    },
  }
}

interface Year {
  docids: number[]
  isSorted: boolean
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
