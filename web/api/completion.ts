import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { Completion } from '#shared/completion.ts'
import { useApi } from './context.ts'
import { fetchData } from './fetch-data.ts'
import { keys } from './query-keys.ts'

const path = '/api/v1/account/completion'

/** Milliseconds between two looks while books wait. */
const lookEvery = 3000

/**
 * How many of the reader's books wait to be completed, looked at again while some do.
 *
 * @param importId counts only those of an import
 */
export function completionQuery(api: PocketBase, importId = '') {
  return queryOptions({
    queryKey: keys.completion(importId),
    queryFn: () =>
      fetchData<Completion>(api, path, { query: importId ? { import: importId } : {} }),
    staleTime: 0,
    refetchOnMount: 'always',
    refetchInterval: ({ state: { data } }) => (data?.isOn && data.waiting > 0 ? lookEvery : false),
  })
}

/** Queues the reader's books that lack a cover or a description. */
export function useCompleteBooks() {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => fetchData<Completion>(api, path, { method: 'POST' }),
    onSuccess: (state) => queries.setQueryData(keys.completion(''), state),
  })
}
