import { queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { Book, CuratedSections } from '#shared/book.ts'
import { keys } from './query-keys.ts'
import { fetchData } from './fetch-data.ts'

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
