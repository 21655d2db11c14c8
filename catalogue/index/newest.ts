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
  const all = reader.match(expression, sortable + 1)
  if (all.length <= sortable) {
    const sorted = reader.newestFirst(all)
    return {
      slice: (start, count) => sorted.slice(start, start + count),
      following(docid, count) {
        const place = sorted.indexOf(docid) + 1
        return place === 0 ? null : sorted.slice(place, place + count)
      },
    }
  }
  const years = reader.years()
  const lengths: number[] = []
  const sorted: number[][] = []
  // No text holds the token of a year, so that no column needs to be named.
  const ofYear = (i: number) => `(${expression}) AND "${yearToken(years[i] ?? 0)}"`
  const lengthOf = (i: number) =>
    (lengths[i] ??= sorted[i]?.length ?? reader.count(ofYear(i), mostPerYear))
  const sortedYear = (i: number) =>
    (sorted[i] ??= reader.newestFirst(reader.match(ofYear(i), mostPerYear)))
  return {
    slice(start, count) {
      // To walk all years until none is left takes far longer than to see that there are not enough.
      if (start >= sortable && reader.count(expression, start + 1) <= start) return []
      const slice: number[] = []
      let before = 0
      for (let i = 0; i < years.length && slice.length < count; i++) {
        // Years that are only passed over are counted, not read.
        const length = before >= start ? sortedYear(i).length : lengthOf(i)
        const from = Math.max(0, start - before)
        before += length
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
