import { parentPort, workerData } from 'node:worker_threads'
import type { SearchForm, SearchResult } from '#shared/book.ts'
import type { Book } from '#shared/book.ts'
import { openBooks } from './books.ts'
import { openReader } from './reader.ts'
import { createSearch } from './search.ts'

/** What can be asked of a search worker, and what it answers. */
export interface Questions {
  search: { asked: SearchForm; answer: SearchResult }
  isbn: { asked: string; answer: Book | null }
  key: { asked: string; answer: Book | null }
  section: { asked: string; answer: Book[] }
}

export type Ask = {
  [Kind in keyof Questions]: { id: number; kind: Kind; asked: Questions[Kind]['asked'] }
}[keyof Questions]

export type Answer = { id: number; answer: unknown } | { id: number; error: string }

/** Only in a worker: answers from one index file, one question after the other. */
function serve(file: string): void {
  const reader = openReader(file)
  const books = openBooks(file)
  const search = createSearch(reader)
  const byEditions = (ids: number[]) =>
    ids.map((id) => books.byEdition(id)).filter((book) => book !== null)
  const answer = (ask: Ask): unknown => {
    if (ask.kind === 'key') return books.byKey(ask.asked)
    if (ask.kind === 'section') return books.section(ask.asked)
    if (ask.kind === 'isbn')
      return byEditions(reader.editionsByIsbn(ask.asked).map((e) => e.editionId))[0] ?? null
    const { editionIds, hasMoreResults } = search(ask.asked)
    return { books: byEditions(editionIds), hasMoreResults }
  }
  parentPort?.on('message', (ask: Ask) => {
    let reply: Answer
    try {
      reply = { id: ask.id, answer: answer(ask) }
    } catch (error) {
      reply = { id: ask.id, error: error instanceof Error ? (error.stack ?? '') : String(error) }
    }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    parentPort?.postMessage(reply)
  })
}

if (typeof workerData === 'string') serve(workerData)
