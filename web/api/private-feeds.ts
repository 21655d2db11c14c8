import { queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { NewPrivateFeed, PrivateFeed } from '#shared/private-feed.ts'
import { liveQuery } from './live-fetch.ts'
import { keys } from './query-keys.ts'

/** A reader's private feeds; null if they have no addresses. */
export function privateFeedQuery(api: PocketBase, user: string) {
  return queryOptions({
    queryKey: keys.privateFeedOf(user),
    queryFn: async () => {
      const filter = api.filter('user = {:user}', { user })
      const query = { filter, skipTotal: true }
      const { items } = await api.collection<PrivateFeed>('private_feeds').getList(1, 1, query)
      return items[0] ?? null
    },
    ...liveQuery,
  })
}

/** Makes new addresses, which end the ones before; only this answer has their secret. */
export async function renewPrivateFeed(
  api: PocketBase,
  before: PrivateFeed | null,
): Promise<NewPrivateFeed> {
  const batch = api.createBatch()
  if (before) batch.collection('private_feeds').delete(before.id)
  batch.collection('private_feeds').create({})
  const results = await batch.send()
  return results.at(-1)?.body as NewPrivateFeed
}

/** Ends the addresses at once. */
export function endPrivateFeed(api: PocketBase, { id }: PrivateFeed): Promise<boolean> {
  return api.collection('private_feeds').delete(id)
}
