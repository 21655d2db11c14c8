import { queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import { ClientResponseError } from 'pocketbase'
import type { Profile } from '#shared/account.ts'

/** A reader's page by username, in any case. A 404 says "User profile not found." */
export function profileQuery(api: PocketBase, username: string) {
  const name = username.toLowerCase()
  return queryOptions({
    queryKey: ['profile', name],
    queryFn: async () => {
      const filter = api.filter('username = {:name}', { name })
      const list = await api
        .collection<Profile>('profile')
        .getList(1, 1, { filter, skipTotal: true })
      const [profile] = list.items
      if (!profile) throw notFound('User profile not found.')
      return profile
    },
  })
}

function notFound(message: string): ClientResponseError {
  return new ClientResponseError({ status: 404, response: { status: 404, message, data: {} } })
}
