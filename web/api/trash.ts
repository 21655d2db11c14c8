import { queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { TrashItem, RestoreForm } from '#shared/trash.ts'
import { keys } from './query-keys.ts'
import { fetchData } from './fetch-data.ts'

/** The removed records that the reader can still restore. */
export function trashQuery(api: PocketBase) {
  return queryOptions({
    queryKey: keys.trash,
    queryFn: async () =>
      (await fetchData<{ items: TrashItem[] }>(api, '/api/v1/library/removed')).items,
    // Every deletion anywhere adds to it.
    staleTime: 0,
    refetchOnMount: 'always',
  })
}

/** Brings back what was removed, with its ids and history; all of it or nothing. */
export function restoreRecords(api: PocketBase, form: RestoreForm): Promise<void> {
  return api.send('/api/v1/library/restore', { method: 'POST', body: form })
}

/** Ends for good what was removed: one record of it, or all. */
export function deleteFromTrash(
  api: PocketBase,
  item?: Pick<TrashItem, 'collection' | 'id'>,
): Promise<void> {
  const one = item ? `/${item.collection}/${item.id}` : ''
  return api.send(`/api/v1/library/removed${one}`, { method: 'DELETE' })
}
