import { queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { Statistics, StatisticsForm } from '#shared/statistics.ts'
import { fetchData } from './fetch-data.ts'
import { keys } from './query-keys.ts'

/** The figures of a reader's year or of all time, and of all books or some. */
export function statisticsQuery(api: PocketBase, username: string, form: StatisticsForm = {}) {
  return queryOptions({
    queryKey: keys.statistics(username.toLowerCase(), form),
    queryFn: () => {
      const path = `/api/v1/users/${encodeURIComponent(username)}/stats`
      return fetchData<Statistics>(api, path, { query: form })
    },
  })
}
