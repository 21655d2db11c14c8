import { statSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import * as z from 'zod'
import type { Book, BookMatch, SearchForm } from '#shared/book.ts'
import type { AuthorBooks, SeriesBooks } from '#shared/series.ts'
import type { ReaderCounts } from '../co-reads/count.ts'
import { answerQuestions } from '#threads/answer-questions.ts'
import { yieldToRequests } from '../yield-to-requests.ts'
import {
  openBooks,
  type IndexedBooks,
  type OwnedSeries,
  type SeriesEditions,
} from '../reading/books.ts'
import type { LearntBatch } from '../learning/learnt.ts'
import { openLearnt, updateIndex } from '../learning/learnt.ts'
import { openIndexReader } from '../reading/index-reader.ts'
import { findReferenced, type BookReference } from './book-reference.ts'
import { createSearch } from './search.ts'
import { readTyped, suggestions } from '../reading/suggestions.ts'
import { suggestedNames, type SuggestedNames } from '../reading/suggested-names.ts'
import { encodePage, type EncodedPage } from './encoded-page.ts'

/** The requests to a worker and their answers. */
export interface Questions {
  search: { asked: { form: SearchForm; language: string }; answer: EncodedPage }
  suggest: { asked: { text: string; count: number; language: string }; answer: SuggestedBooks }
  isbn: { asked: string; answer: Book | null }
  key: { asked: string; answer: Book | null }
  editions: { asked: string; answer: Book[] }
  named: { asked: readonly BookReference[]; answer: FoundByName[] }
  section: { asked: string; answer: Book[] }
  series: { asked: string; answer: SeriesBooks | null }
  seriesEditions: {
    asked: { id: string; owned: readonly string[] }
    answer: SeriesEditions | null
  }
  seriesOf: { asked: readonly string[]; answer: OwnedSeries[] }
  author: { asked: { id: string; page: number }; answer: AuthorBooks | null }
  learn: { asked: LearntBatch; answer: null }
  shelved: { asked: ReaderCounts; answer: null }
}

/** What a reader may be typing, best first. */
export interface SuggestedBooks extends SuggestedNames {
  books: Book[]
}

/** The results for a named book: by its ISBN, and by its title and authors. */
export interface FoundByName {
  byIsbn: Book | null
  byName: Book[]
}

export type Ask = {
  [Kind in keyof Questions]: { kind: Kind; asked: Questions[Kind]['asked'] }
}[keyof Questions]

/** The files of the index and of learnt works. */
const indexFiles = z.object({ file: z.string(), learnt: z.string() })
export type IndexFiles = z.infer<typeof indexFiles>

type OpenIndex = ReturnType<typeof openIndex>

/** The worker's main function: answers requests from the index one by one. */
function serve({ file, learnt }: IndexFiles): void {
  yieldToRequests(niceness)
  let index = openIndex(file)
  const answer = (ask: Ask): unknown => {
    if (ask.kind === 'learn' || ask.kind === 'shelved') return keep(ask)
    index = current(index, file)
    return reply(index, ask)
  }
  const keep = (ask: Extract<Ask, { kind: 'learn' | 'shelved' }>): null => {
    using store = openLearnt(learnt)
    if (ask.kind === 'learn') store.add(ask.asked)
    else store.setShelved(ask.asked)
    try {
      updateIndex(file, store)
    } catch {
      // The file was replaced between opening and writing: update the new one.
      updateIndex(file, store)
    }
    return null
  }
  // A page's bytes are moved, not copied.
  answerQuestions(answer, (found, { kind }) =>
    kind === 'search' ? [(found as EncodedPage).json.buffer] : [],
  )
}

/** A long search gets less than half of a processor that requests also need. */
const niceness = 4

function openIndex(file: string) {
  const state = stateOf(file)
  const reader = openIndexReader(file)
  const books = openBooks(file)
  return { state, reader, books, version: reader.version(), search: createSearch(reader) }
}

/** Reopens a replaced index, and creates a new search after the index has learnt something. */
function current(index: OpenIndex, file: string): OpenIndex {
  const state = stateOf(file)
  if (state !== '' && state !== index.state) {
    const opened = openIndex(file)
    index.reader.close()
    index.books.close()
    return opened
  }
  const version = index.reader.version()
  return version === index.version
    ? index
    : { ...index, version, search: createSearch(index.reader) }
}

/** @returns a text that changes when the file is replaced; empty while there is none */
function stateOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false })
  return found ? `${found.dev} ${found.ino} ${found.birthtimeMs}` : ''
}

function reply(
  { reader, books, search }: OpenIndex,
  ask: Exclude<Ask, { kind: 'learn' | 'shelved' }>,
) {
  const byEditions = (ids: number[]) =>
    ids.map((id) => books.byEdition(id)).filter((book) => book !== null)
  const byIsbn = (isbn: string): Book | null =>
    byEditions(reader.editionsByIsbn(isbn).map((e) => e.editionId))[0] ?? null
  switch (ask.kind) {
    case 'key':
      return books.byKey(ask.asked)
    case 'editions':
      return books.editionsOf(ask.asked)
    case 'section':
      return books.section(ask.asked)
    case 'series':
      return books.series(ask.asked)
    case 'seriesEditions':
      return books.seriesEditions(ask.asked.id, ask.asked.owned)
    case 'seriesOf':
      return books.seriesOf(ask.asked)
    case 'author':
      return books.author(ask.asked.id, ask.asked.page)
    case 'suggest': {
      const { text, count, language } = ask.asked
      const typed = readTyped(reader, text)
      return {
        books: byEditions(suggestions(reader, typed, count, language)),
        ...suggestedNames(reader, typed),
      }
    }
    case 'isbn':
      return byIsbn(ask.asked)
    case 'named':
      return ask.asked.map((named): FoundByName => {
        const found = named.isbn ? byIsbn(named.isbn) : null
        return { byIsbn: found, byName: found ? [] : byEditions(findReferenced(reader, named)) }
      })
    case 'search': {
      const found = search(ask.asked.form, ask.asked.language)
      const { editionIds, matches, unanswerable, ...page } = found
      const { q, page: number, after } = ask.asked.form
      const isFirst = number === 1 && after === ''
      const result = {
        ...page,
        ...(isFirst && q !== '' && namesIn(suggestedNames(reader, readTyped(reader, q, false)))),
        books: byEditions(editionIds),
        ...(matches && { matches: byBook(matches, books) }),
      }
      return encodePage(result, unanswerable)
    }
  }
}

/** The lists that aren't empty. */
function namesIn({ series, authors }: SuggestedNames): Partial<SuggestedNames> {
  return { ...(series.length > 0 && { series }), ...(authors.length > 0 && { authors }) }
}

function byBook(
  matches: ReadonlyMap<number, BookMatch>,
  books: IndexedBooks,
): Record<string, BookMatch> {
  const entries = [...matches].flatMap(([editionId, match]) => {
    const book = books.byEdition(editionId)
    return book ? [[book.id, match] as const] : []
  })
  return Object.fromEntries(entries)
}

const given = indexFiles.safeParse(workerData)
if (given.success) serve(given.data)
