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
export interface WrittenPage {
  /** A `SearchResult`. */
  json: Uint8Array<ArrayBuffer>
  hasMoreResults: boolean
  /** Whether it tells why books answer a description. */
  hasMatches: boolean
  /** Whether nothing is called what was asked for. */
  isAbsent: boolean
  unanswerable: Unanswerable | undefined
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** @returns the page as it is sent */
export function writePage(page: SearchResult, unanswerable?: Unanswerable): WrittenPage {
  return {
    json: encoder.encode(JSON.stringify(page)),
    hasMoreResults: page.hasMoreResults,
    hasMatches: page.matches !== undefined,
    isAbsent: page.absent === true,
    unanswerable,
  }
}

/** A written page as it passes from thread to thread; its bytes are handed over. */
export type SentPage = [
  json: WrittenPage['json'],
  hasMoreResults: WrittenPage['hasMoreResults'],
  hasMatches: WrittenPage['hasMatches'],
  isAbsent: WrittenPage['isAbsent'],
  unanswerable: WrittenPage['unanswerable'],
]

/** @returns the page as a thread hands it over */
export function sentPage(page: SearchResult, unanswerable?: Unanswerable): SentPage {
  const written = writePage(page, unanswerable)
  const { json, hasMoreResults, hasMatches, isAbsent } = written
  return [json, hasMoreResults, hasMatches, isAbsent, unanswerable]
}

/** @returns whether an answer of a thread is a page */
export function isSentPage(answer: unknown): answer is SentPage {
  return Array.isArray(answer) && answer[0] instanceof Uint8Array
}

/** @returns the page that a thread handed over */
export function receivedPage(sent: SentPage): WrittenPage {
  const [json, hasMoreResults, hasMatches, isAbsent, unanswerable] = sent
  return { json, hasMoreResults, hasMatches, isAbsent, unanswerable }
}

/** @returns what `writePage` wrote */
export function readPage({ json }: WrittenPage): SearchResult {
  return JSON.parse(decoder.decode(json)) as SearchResult
}
