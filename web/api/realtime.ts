import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Activity } from '#shared/activity.ts'
import { useApi } from './context.ts'
import { throttle } from './throttle.ts'
import { bookEdits } from './library.ts'
import { invalidateCollections, shownCollections, type ShownCollection } from './query-keys.ts'
import { applyEntryChange } from './timeline.ts'

/** Events that follow the first one so closely are fetched together; milliseconds. */
const pause = 500

/** Fetches again what an event of a collection makes old, for one reader's records. */
function refresh(queries: QueryClient, collection: ShownCollection, user: string): void {
  // What is fetched now would not have the edits; the last one fetches.
  if (collection === 'user_books' && queries.isMutating({ mutationKey: bookEdits }) > 0) return
  void invalidateCollections(queries, [collection], { user })
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
    const gathered = shownCollections.map((collection) => ({
      collection,
      ...throttle(() => refresh(queries, collection, user), pause),
    }))
    const ends = gathered.map(({ collection, run }) =>
      api.collection(collection).subscribe<Activity>(
        '*',
        (event) => {
          // Only the newest are fetched again; this one may be further down.
          if (collection === 'activities' && event.action !== 'create')
            applyEntryChange(queries, event)
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
