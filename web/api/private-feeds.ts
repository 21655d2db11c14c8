import { queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { NewPrivateFeed, PrivateFeed } from '#shared/private-feed.ts'
import { liveQuery } from './live-fetch.ts'
import { keys } from './query-keys.ts'

/** A reader's private feeds; null if they have no addresses. */
export function privateFeedQuery(api: PocketBase, user: string) {
  return queryOptions({
    queryKey: keys.privateFeedOf(user),
    queryFn: () => currentFeed(api, user),
    ...liveQuery,
  })
}

async function currentFeed(api: PocketBase, user: string): Promise<PrivateFeed | null> {
  const filter = api.filter('user = {:user}', { user })
  const query = { filter, skipTotal: true }
  const { items } = await api.collection<PrivateFeed>('private_feeds').getList(1, 1, query)
  return items[0] ?? null
}

/**
 * Makes new addresses; only this answer has their secret.
 *
 * @param isRenewal whether it ends those that there are, even if another device has just made them
 */
export async function renewPrivateFeed(
  api: PocketBase,
  user: string,
  isRenewal: boolean,
): Promise<NewPrivateFeed> {
  const before = isRenewal ? await currentFeed(api, user) : null
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
