import { queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import { maxTokens, type ApiToken, type NewApiToken, type TokenScope } from '#shared/api-token.ts'
import { liveQuery } from './live-fetch.ts'
import { keys } from './query-keys.ts'
import { serverNow } from '#web/i18n/server-clock.ts'

/** A reader's API tokens, the newest first. */
export function apiTokensQuery(api: PocketBase, user: string) {
  return queryOptions({
    queryKey: keys.apiTokensOf(user),
    queryFn: async () =>
      (
        await api.collection<ApiToken>('api_tokens').getList(1, maxTokens, {
          filter: api.filter('user = {:user}', { user }),
          sort: '-created,id',
          skipTotal: true,
        })
      ).items,
    ...liveQuery,
  })
}

export interface ApiTokenForm {
  name: string
  scope: TokenScope
  /** The names of the collections that it is limited to; empty for none. */
  collections: readonly string[]
  /** In how many days it ends. */
  days: number
}

/** Makes a token; only this answer shows it. */
export function createApiToken(
  api: PocketBase,
  { days, ...form }: ApiTokenForm,
): Promise<NewApiToken> {
  const expires = new Date(serverNow() + days * 86_400_000)
  return api.collection('api_tokens').create<NewApiToken>({ ...form, expires })
}

/** Ends a token at once. */
export function revokeApiToken(api: PocketBase, { id }: ApiToken): Promise<boolean> {
  return api.collection('api_tokens').delete(id)
}
