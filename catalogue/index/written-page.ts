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
  /** Whether nothing is called what was asked for. */
  isAbsent: boolean
  /** Whether the last book a reader has, `after`, is none of the index; the page is empty then. */
  isAfterUnknown: boolean
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** @returns the page as it is sent */
export function writePage(page: SearchResult, isAfterUnknown = false): WrittenPage {
  return {
    json: encoder.encode(JSON.stringify(page)),
    hasMoreResults: page.hasMoreResults,
    hasMatches: page.matches !== undefined,
    isAbsent: page.absent === true,
    isAfterUnknown,
  }
}

/** A written page as it passes from thread to thread; its bytes are handed over. */
export type SentPage = [
  json: WrittenPage['json'],
  hasMoreResults: WrittenPage['hasMoreResults'],
  hasMatches: WrittenPage['hasMatches'],
  isAbsent: WrittenPage['isAbsent'],
  isAfterUnknown: WrittenPage['isAfterUnknown'],
]

/** @returns the page as a thread hands it over */
export function sentPage(page: SearchResult, afterUnknown = false): SentPage {
  const written = writePage(page, afterUnknown)
  const { json, hasMoreResults, hasMatches, isAbsent, isAfterUnknown } = written
  return [json, hasMoreResults, hasMatches, isAbsent, isAfterUnknown]
}

/** @returns whether an answer of a thread is a page */
export function isSentPage(answer: unknown): answer is SentPage {
  return Array.isArray(answer) && answer[0] instanceof Uint8Array
}

/** @returns the page that a thread handed over */
export function receivedPage(sent: SentPage): WrittenPage {
  const [json, hasMoreResults, hasMatches, isAbsent, isAfterUnknown] = sent
  return { json, hasMoreResults, hasMatches, isAbsent, isAfterUnknown }
}

/** @returns what `writePage` wrote */
export function readPage({ json }: WrittenPage): SearchResult {
  return JSON.parse(decoder.decode(json)) as SearchResult
}
