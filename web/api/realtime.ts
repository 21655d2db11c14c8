import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { RecordSubscription } from 'pocketbase'
import type { Activity } from '#shared/activity.ts'
import type { Bookshelf } from '#shared/bookshelf.ts'
import type { UserBook } from '#shared/user-book.ts'
import { replaceBook, replaceShelf } from './book-lists.ts'
import { useApi } from './context.ts'
import { listen } from './event-stream.ts'
import { liveFetch } from './live-fetch.ts'
import { bookEditKey } from './library.ts'
import {
  invalidateNames,
  keys,
  cachedCollections,
  staleQueries,
  type CachedCollection,
} from './query-keys.ts'
import type { Session } from './session.ts'
import { applyEntryChange, withRating } from './timeline.ts'

/**
 * Puts an event's record in place of its copies in the cache.
 *
 * @returns how the keys begin of what else a change of its collection makes stale
 */
export function applyEvent(
  queries: QueryClient,
  collection: CachedCollection,
  { action, record }: RecordSubscription<object>,
): readonly string[] {
  const stale = staleQueries[collection]
  if (collection === 'activities') {
    const entry = record as Activity
    applyEntryChange(queries, { action, record: entry })
    // An answer on its way may be older than the event.
    return queries.isFetching({ queryKey: keys.timeline(entry.user) }) > 0 ? stale : []
  }
  if (action !== 'update') return stale
  if (collection === 'bookshelves') replaceShelf(queries, record as Bookshelf)
  return collection !== 'user_books' || replaceBook(queries, record as UserBook) ? stale : []
}

/**
 * Keeps a reader's pages live: what changes elsewhere, in another tab or on another device, shows
 * here. The client reconnects by itself. At each connection the server says when the reader's records
 * last changed: only if that was after the page was made, everything is fetched again. Of others'
 * records it doesn't say.
 */
export function useLiveReader(user: string | undefined): void {
  const api = useApi()
  const queries = useQueryClient()
  useEffect(() => {
    if (!user) return
    const isEditing = () => queries.isMutating({ mutationKey: bookEditKey }) > 0
    const stale = new Set<string>()
    /** Events of books that arrive while edits made here are being saved. */
    const held = new Map<string, RecordSubscription>()
    const { run, finish } = liveFetch(queries, async () => {
      // A fetch now would miss the edits.
      if (isEditing()) return
      const names = [...stale]
      stale.clear()
      await invalidateNames(queries, names, { user })
    })
    const fetchAgain = (names: readonly string[]) => {
      for (const name of names) stale.add(name)
      if (stale.size > 0) run()
    }
    const applyHeld = () => {
      if (isEditing()) return
      const events = [...held.values()]
      held.clear()
      fetchAgain(events.flatMap((event) => applyEvent(queries, 'user_books', event)))
    }
    const everything = Object.values(staleQueries).flat()
    const endOfEdits = queries.getMutationCache().subscribe(applyHeld)
    const filter = api.filter('user = {:user}', { user })
    const connected = () => {
      const isOwn = queries.getQueryData<Session | null>(keys.session)?.user.id === user
      // Filled by the server before it reads anything else.
      const made = queries.getQueryState(keys.site)?.dataUpdatedAt ?? 0
      const changed = queries.getQueryData<number>(keys.lastChange) ?? made
      if (!isOwn || changed >= made) fetchAgain(everything)
    }
    const subscribe = () =>
      cachedCollections.map((collection) =>
        api.collection(collection).subscribe(
          '*',
          (event) => {
            if (collection === 'user_books' && isEditing())
              return void held.set(event.record.id, event)
            fetchAgain(applyEvent(queries, collection, event))
          },
          { filter, ...(collection === 'activities' && withRating) },
        ),
      )
    const endListening = listen(subscribe, connected, () => fetchAgain(everything))
    return () => {
      endOfEdits()
      finish()
      if (held.size > 0) for (const name of staleQueries.user_books) stale.add(name)
      void invalidateNames(queries, stale, { user, refetch: 'none' })
      endListening()
    }
  }, [api, queries, user])
}
