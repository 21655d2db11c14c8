import { queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { Profile } from '#shared/account.ts'

/** A reader's page by username, in any case. A 404 says "User profile not found." */
export function profileQuery(api: PocketBase, username: string) {
  const name = username.toLowerCase()
  return queryOptions({
    queryKey: ['profile', name],
    queryFn: () =>
      api
        .collection<Profile>('profile')
        .getFirstListItem(api.filter('username = {:name}', { name })),
  })
}
