import { queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { SampleLibrary } from '#shared/sample-library.ts'
import { fetchData } from './fetch-data.ts'
import { keys } from './query-keys.ts'

/** What the import made of the sample file; null until the server has read it. */
export function sampleLibraryQuery(api: PocketBase) {
  return queryOptions({
    queryKey: keys.sampleLibrary,
    queryFn: () => fetchData<SampleLibrary | null>(api, '/api/v1/sample'),
    staleTime: ({ state }) => (state.data ? Number.POSITIVE_INFINITY : 0),
  })
}
