import { queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { Statistics } from '#shared/statistics.ts'
import { fetchData } from './fetch-data.ts'
import { keys } from './query-keys.ts'

/** The figures of a reader's year; '' for all time. */
export function statisticsQuery(api: PocketBase, username: string, year: string) {
  return queryOptions({
    queryKey: keys.statistics(username.toLowerCase(), year),
    queryFn: () => {
      const path = `/api/v1/users/${encodeURIComponent(username)}/stats`
      return fetchData<Statistics>(api, path, { query: year ? { year } : {} })
    },
  })
}
