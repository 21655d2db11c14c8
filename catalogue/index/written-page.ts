import type { SearchResult } from '#shared/book.ts'

/**
 * A page of a search as it is sent. The thread that searched makes its bytes and hands them over, so
 * that the thread that answers requests has next to nothing to do with it.
 */
export interface WrittenPage {
  /** A `SearchResult`. */
  json: Uint8Array<ArrayBuffer>
  hasMoreResults: boolean
  /** Whether it tells why books answer a description. */
  hasMatches: boolean
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** @returns the page as it is sent */
export function writePage(page: SearchResult): WrittenPage {
  return {
    json: encoder.encode(JSON.stringify(page)),
    hasMoreResults: page.hasMoreResults,
    hasMatches: page.matches !== undefined,
  }
}

/** @returns whether an answer of a thread is what `writePage` wrote */
export function isWrittenPage(answer: unknown): answer is WrittenPage {
  return typeof answer === 'object' && answer !== null && 'json' in answer
}

/** @returns what `writePage` wrote */
export function readPage({ json }: WrittenPage): SearchResult {
  return JSON.parse(decoder.decode(json)) as SearchResult
}
