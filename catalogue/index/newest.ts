import type { Reader } from './reader.ts'
import { yearToken } from './schema.ts'

/** So many matches are sorted by their date; more are walked year by year. */
const sortable = 1000
const mostPerYear = 1000

/** Works in the order of their dates, found as far as they are needed. */
export interface Timeline {
  /** @returns row ids from a place on, at most count of them */
  slice(start: number, count: number): number[]
  /** @returns those behind a work, without counting those before; null when it is none of them */
  following(docid: number, count: number): number[] | null
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
    return {
      slice: (start, count) => sorted.slice(start, start + count),
      following(docid, count) {
        const place = sorted.indexOf(docid) + 1
        return place === 0 ? null : sorted.slice(place, place + count)
      },
    }
  }
  const years = reader.years()
  const found: Year[] = []
  const year = (i: number): Year => {
    const ofYear = `(${expression}) AND {meta} : "${yearToken(years[i] ?? 0)}"`
    const docids = found[i]?.docids ?? reader.match(ofYear, { limit: mostPerYear })
    return (found[i] ??= { docids, isSorted: false })
  }
  const sortedYear = (i: number): number[] => {
    const { docids, isSorted } = year(i)
    if (isSorted) return docids
    const sorted = byDate(docids, reader)
    found[i] = { docids: sorted, isSorted: true }
    return sorted
  }
  return {
    slice(start, count) {
      const slice: number[] = []
      let before = 0
      for (let i = 0; i < years.length && slice.length < count; i++) {
        const { length } = year(i).docids
        const from = Math.max(0, start - before)
        before += length
        // Years that are only passed over need no order among themselves.
        if (from < length) slice.push(...sortedYear(i).slice(from, from + count - slice.length))
      }
      return slice
    },
    following(docid, count) {
      const [doc] = reader.docs([docid])
      const first = years.indexOf(Number.parseInt(doc?.publishedDate ?? '', 10) || 0)
      const place = first < 0 ? 0 : sortedYear(first).indexOf(docid) + 1
      if (place === 0) return null
      const slice = sortedYear(first).slice(place, place + count)
      for (let i = first + 1; i < years.length && slice.length < count; i++)
        slice.push(...sortedYear(i).slice(0, count - slice.length))
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
