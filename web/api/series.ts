import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { AuthorBooks, OwnInSeries, OwnSeries, SeriesBooks } from '#shared/series.ts'
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

/** The series that the signed-in reader has books of. */
export function ownSeriesQuery(api: PocketBase, user: string) {
  return infiniteQueryOptions({
    queryKey: keys.ownSeries(user),
    queryFn: ({ pageParam: page }) =>
      fetchData<OwnSeries>(api, '/api/v1/library/series', { query: { page } }),
    initialPageParam: 1,
    getNextPageParam: ({ page, hasMore }: OwnSeries) => (hasMore ? page + 1 : undefined),
  })
}

/** Which books of a series the reader has, in any edition, by the ids of the books. */
export function ownInSeriesQuery(api: PocketBase, user: string, id: string) {
  return queryOptions({
    queryKey: keys.ownInSeries(user, id),
    queryFn: async () => {
      const path = `/api/v1/library/series/${encodeURIComponent(id)}`
      return (await fetchData<OwnInSeries>(api, path)).books
    },
    enabled: user !== '',
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
