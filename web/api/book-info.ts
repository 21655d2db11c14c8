import { queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import {
  isbnOf,
  type Book,
  type ModelBooks,
  type SearchForm,
  type SimilarBooks,
} from '#shared/book.ts'
import type { BookReaders } from '#shared/book-readers.ts'
import type { BookSource, StoreCountry, StoreOffer } from '#shared/offer.ts'
import { searchQuery, sendSearch } from './search.ts'
import { keys } from './query-keys.ts'
import { fetchData } from './fetch-data.ts'

/** The key of a query for offers and other catalogues. */
export interface OfferedBook {
  title: string
  authors: readonly string[]
  /** '' when it has none. */
  isbn: string
}

/** Longer than any title or name that finds something. */
const maxTextLength = 500

const asked = ({ title, authors: [author], isbn }: OfferedBook) => ({
  title: title.slice(0, maxTextLength),
  ...(author ? { author: author.slice(0, maxTextLength) } : {}),
  ...(isbn ? { isbn } : {}),
})

/** Where a book can be bought, borrowed or read for free. */
export function offersQuery(api: PocketBase, book: OfferedBook, country: StoreCountry) {
  const query = { ...asked(book), country }
  return queryOptions({
    queryKey: keys.offers(query),
    queryFn: async () => {
      const path = '/api/v1/book-info/offers'
      return (await fetchData<{ offers: StoreOffer[] }>(api, path, { query })).offers
    },
  })
}

/** Links to a book in other catalogues. */
export function sourcesQuery(api: PocketBase, book: Book) {
  const query = asked({ ...book, isbn: isbnOf(book) })
  return queryOptions({
    queryKey: keys.sources(query),
    queryFn: async () => {
      const path = '/api/v1/book-info/sources'
      return (await fetchData<{ sources: BookSource[] }>(api, path, { query })).sources
    },
  })
}

/** Other editions of a book's work. */
export function editionsQuery(api: PocketBase, id: string) {
  return queryOptions({
    queryKey: keys.editions(id),
    queryFn: async () => {
      const path = `/api/v1/book-info/${encodeURIComponent(id)}/editions`
      return (await fetchData<{ editions: Book[] }>(api, path)).editions
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Ratings and reviews of a book on this site. */
export function readersOfBookQuery(api: PocketBase, id: string, page = 1) {
  return queryOptions({
    queryKey: keys.readersOfBook(id, page),
    queryFn: () =>
      fetchData<BookReaders>(api, `/api/v1/book-info/${encodeURIComponent(id)}/readers`, {
        query: { page },
      }),
  })
}

/** A record that everybody can see of the book with an ISBN, or null. */
export function publicRecordQuery(api: PocketBase, isbn: string) {
  return queryOptions({
    queryKey: keys.publicRecord(isbn),
    queryFn: async () => {
      const path = `/api/v1/book-info/isbn/${encodeURIComponent(isbn)}/record`
      return (await fetchData<{ record: PublicRecord | null }>(api, path)).record
    },
    staleTime: 0,
  })
}

interface PublicRecord {
  id: string
  username: string
}

/** Similar books, by common readers or by subject. */
export function similarQuery(api: PocketBase, id: string) {
  return queryOptions({
    queryKey: keys.similar(id),
    queryFn: () =>
      fetchData<SimilarBooks>(api, `/api/v1/book-info/${encodeURIComponent(id)}/similar`),
  })
}

/** Books for a description with the help of the language model. */
export function describedQuery(api: PocketBase, q: string) {
  return queryOptions({
    queryKey: keys.described(q),
    queryFn: ({ signal }) =>
      fetchData<ModelBooks>(api, '/api/v1/book-info/described', { query: { q }, signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/**
 * The first page again, now with what other catalogues say; it takes the place of the one that came
 * without them.
 */
export function externalQuery(api: PocketBase, form: SearchForm) {
  const known = searchQuery(api, form)
  return queryOptions({
    queryKey: keys.externalSearch(known.queryKey[1]),
    queryFn: async ({ client, signal }) => {
      const first = await sendSearch(api, { ...form, page: 1 }, signal)
      client.setQueryData(known.queryKey, (list) =>
        list ? { ...list, pages: [first, ...list.pages.slice(1)] } : list,
      )
      return first.sources ?? null
    },
    retry: false,
  })
}
