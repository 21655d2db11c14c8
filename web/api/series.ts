import { queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { AuthorBooks, SeriesBooks } from '#shared/series.ts'
import { fetchData } from './fetch-data.ts'
import { keys } from './query-keys.ts'

/** A series with its books in order. */
export function seriesQuery(api: PocketBase, id: string) {
  return queryOptions({
    queryKey: keys.series(id),
    queryFn: () => fetchData<SeriesBooks>(api, `/api/v1/series/${encodeURIComponent(id)}`),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** One page of an author's books. */
export function authorQuery(api: PocketBase, id: string, page: number) {
  return queryOptions({
    queryKey: keys.author(id, page),
    queryFn: () =>
      fetchData<AuthorBooks>(api, `/api/v1/authors/${encodeURIComponent(id)}`, { query: { page } }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
