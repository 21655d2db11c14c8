import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Activity } from '#shared/activity.ts'
import { useApi } from './context.ts'
import { gather } from './gather.ts'
import { bookEdits } from './library.ts'
import { showChange } from './timeline.ts'

/** Events that follow the first one so closely are fetched together; milliseconds. */
const pause = 500

/** What of the cache an event of a collection makes old, for one reader's records. */
const stale: Record<string, (queries: QueryClient, user: string) => void> = {
  activities: (queries, user) => void queries.invalidateQueries({ queryKey: ['activities', user] }),
  user_books: (queries) => {
    // What is fetched now would not have them; the last one fetches.
    if (queries.isMutating({ mutationKey: bookEdits }) > 0) return
    void queries.invalidateQueries({ queryKey: ['books'] })
    void queries.invalidateQueries({ queryKey: ['profile'] })
    // A status begins and ends a reading.
    for (const key of ['readings', 'diary', 'tags'])
      void queries.invalidateQueries({ queryKey: [key] })
  },
  readings: (queries) => {
    for (const key of ['readings', 'diary']) void queries.invalidateQueries({ queryKey: [key] })
  },
  quotes: (queries) => void queries.invalidateQueries({ queryKey: ['quotes'] }),
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
    const gathered = Object.entries(stale).map(([collection, refresh]) => ({
      collection,
      ...gather(() => refresh(queries, user), pause),
    }))
    const ends = gathered.map(({ collection, run }) =>
      api.collection(collection).subscribe<Activity>(
        '*',
        (event) => {
          // Only the newest are fetched again; this one may be further down.
          if (collection === 'activities' && event.action !== 'create') showChange(queries, event)
          run()
        },
        { filter },
      ),
    )
    // Between the page's making and this connection something may have happened already.
    const connected = api.realtime.subscribe('PB_CONNECT', () => {
      for (const { run } of gathered) run()
    })
    // A page that cannot be kept live is still a page.
    const all = [...ends, connected].map((end) => end.catch(() => undefined))
    return () => {
      for (const { finish } of gathered) finish()
      for (const end of all) void end.then((unsubscribe) => unsubscribe?.()).catch(() => undefined)
    }
  }, [api, queries, user])
}
