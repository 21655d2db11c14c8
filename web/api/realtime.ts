import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useApi } from './context.ts'
import { bookEdits } from './library.ts'

/** What of the cache an event of a collection makes old, for one reader's records. */
const stale: Record<string, (queries: QueryClient, user: string) => void> = {
  activities: (queries, user) => void queries.invalidateQueries({ queryKey: ['activities', user] }),
  user_books: (queries) => {
    // What is fetched now would not have them; the last one fetches.
    if (queries.isMutating({ mutationKey: bookEdits }) > 0) return
    void queries.invalidateQueries({ queryKey: ['books'] })
    void queries.invalidateQueries({ queryKey: ['profile'] })
  },
  bookshelves: (queries, user) => {
    void queries.invalidateQueries({ queryKey: ['shelves', user] })
    void queries.invalidateQueries({ queryKey: ['shelf'] })
    void queries.invalidateQueries({ queryKey: ['profile'] })
  },
}

/**
 * Keeps a reader's pages live: what changes elsewhere, in another tab or on another device, is
 * fetched again here. The client reconnects by itself; what happened meanwhile is fetched then.
 */
export function useLiveReader(user: string | undefined): void {
  const api = useApi()
  const queries = useQueryClient()
  useEffect(() => {
    if (!user) return
    const filter = api.filter('user = {:user}', { user })
    const ends = Object.entries(stale).map(([collection, refresh]) =>
      api.collection(collection).subscribe('*', () => refresh(queries, user), { filter }),
    )
    // Between the page's making and this connection something may have happened already.
    const connected = api.realtime.subscribe('PB_CONNECT', () => {
      for (const refresh of Object.values(stale)) refresh(queries, user)
    })
    // A page that cannot be kept live is still a page.
    const all = [...ends, connected].map((end) => end.catch(() => undefined))
    return () => {
      for (const end of all) void end.then((unsubscribe) => unsubscribe?.()).catch(() => undefined)
    }
  }, [api, queries, user])
}
