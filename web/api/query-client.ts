import { MutationCache, QueryClient } from '@tanstack/react-query'
import { isApiError, isSignedOut } from './errors.ts'
import { removeInactiveQueries } from './session.ts'
import { keys } from './query-keys.ts'

/** Statuses after which a query isn't tried again, as in the specification. */
const final = new Set([400, 401, 404, 429])

const isFinal = (error: Error | null) => isApiError(error) && final.has(error.status)

/** A cache with the specification's times: stale after 60 s, no refetch on mount or focus. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    mutationCache: new MutationCache({
      onError: async (error) => {
        // The screens tell the reader; the cause is for who helps them.
        console.warn(error)
        // The session ended elsewhere: fetch it again, so that the screens show that.
        if (!isSignedOut(error)) return
        removeInactiveQueries(client)
        await client.invalidateQueries({ queryKey: keys.session })
      },
    }),
    defaultOptions: {
      // Without a connection a reader is told so, rather than left waiting for one.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: 60_000,
        refetchOnMount: false,
        refetchOnWindowFocus: false,
        retry: (failures, error) => !import.meta.env.SSR && failures < 3 && !isFinal(error),
        // A screen's loader has fetched it before the screen mounts.
        retryOnMount: ({ state }) => !isFinal(state.error),
      },
    },
  })
  return client
}

/**
 * For what no loader fetches, as a query's `refetchOnMount`: anew where a write has made it old, not
 * where it is merely old.
 */
export const ifInvalidated = ({ state }: { state: { isInvalidated: boolean } }) =>
  state.isInvalidated

let browserQueryClient: QueryClient | undefined

/** @returns the one cache of this browser tab */
export function getQueryClient(): QueryClient {
  return (browserQueryClient ??= createQueryClient())
}
