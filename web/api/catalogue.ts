import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { Book, CuratedSections, SearchForm, SearchResult } from '#shared/book.ts'
import type { BookSource, StoreCountry, StoreOffer } from '#shared/offer.ts'

/** The book that offers and sources are asked for. */
type Wanted = Pick<Book, 'title' | 'authors' | 'isbns'>

const wanted = ({ title, authors: [author], isbns }: Wanted) => {
  const isbn = isbns.ISBN_13 ?? isbns.ISBN_10
  return { title, ...(author ? { author } : {}), ...(isbn ? { isbn } : {}) }
}

/** Where a book can be bought, borrowed or had for nothing. */
export function offersQuery(api: PocketBase, book: Wanted, country: StoreCountry) {
  const query = { ...wanted(book), country }
  return queryOptions({
    queryKey: ['offers', query],
    queryFn: async () => {
      const path = '/api/v1/book-info/offers'
      return (await api.send<{ data: { offers: StoreOffer[] } }>(path, { query })).data.offers
    },
  })
}

/** Where other catalogues describe a book. */
export function sourcesQuery(api: PocketBase, book: Wanted) {
  const query = wanted(book)
  return queryOptions({
    queryKey: ['sources', query],
    queryFn: async () => {
      const path = '/api/v1/book-info/sources'
      return (await api.send<{ data: { sources: BookSource[] } }>(path, { query })).data.sources
    },
  })
}

/** Other editions of a book's work. */
export function editionsQuery(api: PocketBase, id: string) {
  return queryOptions({
    queryKey: ['editions', id],
    queryFn: async () => {
      const path = `/api/v1/book-info/${encodeURIComponent(id)}/editions`
      return (await api.send<{ data: { editions: Book[] } }>(path, {})).data.editions
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/**
 * The first page again, now with what other catalogues say; it takes the place of the one that came
 * without them.
 */
export function outsideQuery(api: PocketBase, form: SearchForm) {
  const known = searchQuery(api, form)
  return queryOptions({
    queryKey: ['outside', ...known.queryKey],
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

async function sendSearch(
  api: PocketBase,
  form: SearchForm & { answers?: 'known' },
  signal: AbortSignal,
): Promise<SearchResult> {
  const query = Object.fromEntries(Object.entries(form).filter(([, value]) => value !== ''))
  const path = '/api/v1/book-info/search'
  return (await api.send<{ data: SearchResult }>(path, { query, signal })).data
}

/**
 * Search results, page by page. `form.page` is where it starts. The first page is what is known
 * here, at once; see {@link outsideQuery}.
 */
export function searchQuery(api: PocketBase, form: SearchForm) {
  return infiniteQueryOptions({
    queryKey: ['search', { ...form, page: 1, after: '' }],
    queryFn: ({ pageParam, signal }) => {
      const answers = pageParam === 1 ? { answers: 'known' as const } : {}
      return sendSearch(api, { ...form, page: pageParam, ...answers }, signal)
    },
    initialPageParam: 1,
    getNextPageParam: (last, _pages, page) => (last.hasMoreResults ? page + 1 : undefined),
  })
}

/** The two curated sections of Explore. */
export function curatedQuery(api: PocketBase) {
  return queryOptions({
    queryKey: ['curated'],
    queryFn: async () => (await api.send<{ data: CuratedSections }>('/api/v1/explore', {})).data,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** One book of the catalogue, by ISBN. Cached for ever: what is printed does not change. */
export function bookQuery(api: PocketBase, isbn: string) {
  return queryOptions({
    queryKey: ['book', isbn],
    queryFn: async () => {
      const path = `/api/v1/book-info/isbn/${encodeURIComponent(isbn)}`
      return (await api.send<{ data: { book: Book } }>(path, {})).data.book
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}
