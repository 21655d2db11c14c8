import { queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { SampleLibrary } from '#shared/sample-library.ts'
import { fetchData } from './fetch-data.ts'
import { keys } from './query-keys.ts'

/** Times that a page asks again, and milliseconds between them: reading the file takes seconds. */
const [retries, retryDelay] = [10, 2000]

/**
 * The result of importing the sample file. It is null until the server has read the file, which it
 * begins when the first visitor asks.
 */
export function sampleLibraryQuery(api: PocketBase) {
  return queryOptions({
    queryKey: keys.sampleLibrary,
    queryFn: () => fetchData<SampleLibrary | null>(api, '/api/v1/sample'),
    refetchInterval: ({ state: { data, dataUpdateCount, errorUpdateCount } }) =>
      !data && dataUpdateCount + errorUpdateCount <= retries && retryDelay,
    staleTime: ({ state }) => (state.data ? Number.POSITIVE_INFINITY : 0),
  })
}
