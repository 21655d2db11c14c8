import type { SearchResult } from '#shared/book.ts'

/**
 * The field that can't be answered, which leaves the page empty: `after` isn't a book of the index,
 * or `q` is too short and not a title.
 */
export type Unanswerable = 'after' | 'q'

/**
 * A search page as serialized JSON. The search thread serializes and transfers it, so that the main
 * thread does almost nothing.
 */
export interface EncodedPage {
  /** A `SearchResult`. */
  json: Uint8Array<ArrayBuffer>
  hasMoreResults: boolean
  /** Whether it says where its books match a description. */
  hasMatches: boolean
  /** Whether no book has the requested title. */
  isAbsent: boolean
  unanswerable: Unanswerable | undefined
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** @returns the serialized page */
export function encodePage(page: SearchResult, unanswerable?: Unanswerable): EncodedPage {
  return {
    json: encoder.encode(JSON.stringify(page)),
    hasMoreResults: page.hasMoreResults,
    hasMatches: page.matches !== undefined,
    isAbsent: page.absent === true,
    unanswerable,
  }
}

/** @returns the page that `encodePage` serialized */
export function decodePage({ json }: EncodedPage): SearchResult {
  return JSON.parse(decoder.decode(json)) as SearchResult
}
