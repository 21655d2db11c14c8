import { queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { NextInSeries } from '#shared/series.ts'
import { fetchData } from './fetch-data.ts'
import { keys } from './query-keys.ts'

/** What comes next in the series that the signed-in reader has begun. */
export function nextVolumesQuery(api: PocketBase, user: string) {
  return queryOptions({
    queryKey: keys.nextVolumes(user),
    queryFn: async () =>
      (await fetchData<NextInSeries>(api, '/api/v1/library/next-in-series')).items,
  })
}
