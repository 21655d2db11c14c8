import { queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import { keys } from './query-keys.ts'

const path = '/api/collections/users/providers'

/** A provider whose account signs in to the reader's. */
export interface LinkedProvider {
  /** Its name on the wire. */
  provider: string
  created: string
  /** '' if it hasn't signed in since this is noted. */
  used: string
}

export function linkedProvidersQuery(api: PocketBase, user: string) {
  return queryOptions({
    queryKey: keys.linkedProvidersOf(user),
    queryFn: async () => (await api.send<{ providers: LinkedProvider[] }>(path, {})).providers,
  })
}

/** Unlinks a provider's account, which then no longer signs in. */
export function unlinkProvider(api: PocketBase, provider: string): Promise<unknown> {
  return api.send(`${path}/${encodeURIComponent(provider)}`, { method: 'DELETE' })
}
