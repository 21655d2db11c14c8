import type { SearchResult } from '#shared/book.ts'

/**
 * The field for which the index has no answer, and the page is empty: `after` is no book of it, or
 * `q` is too short a text and nobody's title.
 */
export type Unanswerable = 'after' | 'q'

/**
 * A page of a search as it is sent. The thread that searched makes its bytes and hands them over, so
 * that the thread that answers requests has next to nothing to do with it.
 */
export interface EncodedPage {
  /** A `SearchResult`. */
  json: Uint8Array<ArrayBuffer>
  hasMoreResults: boolean
  /** Whether it says why its books match a description. */
  hasMatches: boolean
  /** Whether no book has the title that was asked for. */
  isAbsent: boolean
  unanswerable: Unanswerable | undefined
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** @returns the page as it is sent */
export function encodePage(page: SearchResult, unanswerable?: Unanswerable): EncodedPage {
  return {
    json: encoder.encode(JSON.stringify(page)),
    hasMoreResults: page.hasMoreResults,
    hasMatches: page.matches !== undefined,
    isAbsent: page.absent === true,
    unanswerable,
  }
}

/** @returns what `encodePage` wrote */
export function decodePage({ json }: EncodedPage): SearchResult {
  return JSON.parse(decoder.decode(json)) as SearchResult
}
