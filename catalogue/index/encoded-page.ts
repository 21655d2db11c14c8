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

/** A written page as it passes from thread to thread; its bytes are handed over. */
export type PageMessage = [
  json: EncodedPage['json'],
  hasMoreResults: EncodedPage['hasMoreResults'],
  hasMatches: EncodedPage['hasMatches'],
  isAbsent: EncodedPage['isAbsent'],
  unanswerable: EncodedPage['unanswerable'],
]

/** @returns the page as a thread hands it over */
export function toPageMessage(page: SearchResult, unanswerable?: Unanswerable): PageMessage {
  const written = encodePage(page, unanswerable)
  const { json, hasMoreResults, hasMatches, isAbsent } = written
  return [json, hasMoreResults, hasMatches, isAbsent, unanswerable]
}

/** @returns whether an answer of a thread is a page */
export function isPageMessage(answer: unknown): answer is PageMessage {
  return Array.isArray(answer) && answer[0] instanceof Uint8Array
}

/** @returns the page that a thread handed over */
export function fromPageMessage(sent: PageMessage): EncodedPage {
  const [json, hasMoreResults, hasMatches, isAbsent, unanswerable] = sent
  return { json, hasMoreResults, hasMatches, isAbsent, unanswerable }
}

/** @returns what `encodePage` wrote */
export function decodePage({ json }: EncodedPage): SearchResult {
  return JSON.parse(decoder.decode(json)) as SearchResult
}
