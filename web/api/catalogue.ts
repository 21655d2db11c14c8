import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { Book, CuratedSections, SearchForm, SearchResult } from '#shared/book.ts'
import { keys } from './query-keys.ts'
import { fetchData } from './fetch-data.ts'

/** @returns one page of a search */
export function sendSearch(
  api: PocketBase,
  form: Partial<SearchForm> & { answers?: 'known'; short_text?: 'none' },
  signal: AbortSignal | null = null,
): Promise<SearchResult> {
  const query = Object.fromEntries(Object.entries(form).filter(([, value]) => value !== ''))
  return fetchData(api, '/api/v1/book-info/search', { query, signal })
}

/**
 * Search results, page by page. `form.page` is where it starts. The first page is what is known
 * here, at once; `externalQuery` asks for the rest.
 */
export function searchQuery(api: PocketBase, form: SearchForm) {
  return infiniteQueryOptions({
    queryKey: keys.search({ ...form, page: 1, after: '' }),
    queryFn: ({ pageParam, signal }) => {
      const answers = pageParam === 1 ? { answers: 'known' as const } : {}
      return sendSearch(api, { ...form, page: pageParam, ...answers }, signal)
    },
    initialPageParam: 1,
    getNextPageParam: (last, _pages, page) => (last.hasMoreResults ? page + 1 : undefined),
  })
}

/**
 * The two curated sections of Explore.
 *
 * @param limit how many books of each; all of them unless told
 */
export function curatedQuery(api: PocketBase, limit?: number) {
  return queryOptions({
    queryKey: keys.curated(limit),
    queryFn: () =>
      fetchData<CuratedSections>(api, '/api/v1/explore', { query: limit ? { limit } : {} }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/**
 * One book of the catalogue, by ISBN; null for one that it does not know. Cached for ever: what is
 * printed does not change, but what is unknown today may be known tomorrow.
 */
export function bookQuery(api: PocketBase, isbn: string) {
  return queryOptions({
    queryKey: keys.book(isbn),
    queryFn: async () => {
      const path = `/api/v1/book-info/isbn/${encodeURIComponent(isbn)}`
      const query = { unknown: 'null' }
      return (await fetchData<{ book: Book | null }>(api, path, { query })).book
    },
    staleTime: ({ state }) => (state.data === null ? 0 : Number.POSITIVE_INFINITY),
  })
}
