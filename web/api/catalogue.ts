import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { Book, CuratedSections, SearchForm, SearchResult } from '#shared/book.ts'

/** Search results, page by page. `form.page` is where it starts. */
export function searchQuery(api: PocketBase, form: SearchForm) {
  return infiniteQueryOptions({
    queryKey: ['search', { ...form, page: 1, after: '' }],
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...form, page: pageParam }
      const answer = await api.send<{ data: SearchResult }>('/api/v1/book-info/search', {
        query: Object.fromEntries(Object.entries(query).filter(([, value]) => value !== '')),
        signal,
      })
      return answer.data
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
