import { queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { BecauseLiked } from '#shared/book.ts'
import { fetchData } from './fetch-data.ts'
import { keys } from './query-keys.ts'

/** Books like one that the signed-in reader has liked. */
export function becauseLikedQuery(api: PocketBase, user: string) {
  return queryOptions({
    queryKey: keys.becauseLiked(user),
    queryFn: () => fetchData<BecauseLiked>(api, '/api/v1/library/because-liked'),
  })
}
