import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { Activity } from '#shared/activity.ts'
import type { UserBook } from '#shared/user-book.ts'
import { t } from '#web/i18n/shell.ts'
import { withErrorMessage } from './errors.ts'
import { changeCached, keys } from './query-keys.ts'

/** A reader's loaded entries, newest first. */
export interface TimelineEntries {
  entries: Activity[]
  hasMore: boolean
}

const pageSize = 15

/** Asks for the rating of an entry's book along with it. */
export const withRating = { expand: 'book', fields: '*,expand.book.rating' } as const

/** An entry with the current rating of its book. */
export type TimelineEntry = Activity & { expand?: { book?: { rating: number } } }

/** A reader's timeline. A refetch gets only the newest entries and keeps the older ones. */
export function timelineQuery(api: PocketBase, user: string) {
  return queryOptions({
    queryKey: keys.timeline(user),
    queryFn: async ({ client }): Promise<TimelineEntries> => {
      const newest = await fetchEntries(api, user)
      return mergeEntries(client.getQueryData<TimelineEntries>(['activities', user]), newest)
    },
  })
}

/** @returns the entries after the last one, which may have moved to another page */
export function fetchOlder(api: PocketBase, last: Activity): Promise<TimelineEntries> {
  const { user, created, id } = last
  const after = 'created <= {:created} && (created < {:created} || id > {:id})'
  return fetchEntries(api, user, ` && ${api.filter(after, { created, id })}`)
}

async function fetchEntries(api: PocketBase, user: string, after = ''): Promise<TimelineEntries> {
  const { items } = await withErrorMessage(t('failedToRetrieveActivityData'), () =>
    api.collection<TimelineEntry>('activities').getList(1, pageSize, {
      filter: api.filter('user = {:user}', { user }) + after,
      sort: '-created,id',
      ...withRating,
      skipTotal: true,
    }),
  )
  return { entries: items, hasMore: items.length === pageSize }
}

const isOlder = (one: Activity, than: Activity) =>
  one.created < than.created || (one.created === than.created && one.id > than.id)

/** @returns the newest entries with those that are known after them; without what lies between, alone */
export function mergeEntries(
  known: TimelineEntries | undefined,
  newest: TimelineEntries,
): TimelineEntries {
  const last = newest.entries.at(-1)
  const first = known?.entries[0]
  if (!known || !first || !last || !newest.hasMore || isOlder(first, last)) return newest
  const older = known.entries.filter((entry) => isOlder(entry, last))
  return {
    entries: [...newest.entries, ...older],
    hasMore: older.length > 0 ? known.hasMore : newest.hasMore,
  }
}

function changeEntries(
  queries: QueryClient,
  user: string,
  change: (known: TimelineEntries) => TimelineEntries,
): void {
  const timeline = { queryKey: keys.timeline(user), exact: true }
  changeCached<TimelineEntries>(queries, timeline, (known) => known && change(known))
}

/** Puts older entries after those that are there. */
export function addOlder(queries: QueryClient, user: string, older: TimelineEntries): void {
  changeEntries(queries, user, ({ entries }) => {
    const last = entries.at(-1)
    const fresh = older.entries.filter((entry) => !last || isOlder(entry, last))
    return { entries: [...entries, ...fresh], hasMore: older.hasMore }
  })
}

/** Shows a change of an entry: it stands where it belongs by now, or is left out. */
export function applyEntryChange(
  queries: QueryClient,
  { action, record }: { action: string; record: Activity },
): void {
  changeEntries(queries, record.user, (known) => {
    if (action !== 'delete') return placeEntry(known, record)
    return { ...known, entries: known.entries.filter(({ id }) => id !== record.id) }
  })
}

/** Shows a book's rating at its entries. */
export function showRating(
  queries: QueryClient,
  { id, user, rating }: Pick<UserBook, 'id' | 'user' | 'rating'>,
): void {
  changeEntries(queries, user, (known) => ({
    ...known,
    entries: known.entries.map((entry: TimelineEntry) =>
      entry.book === id ? { ...entry, expand: { book: { rating } } } : entry,
    ),
  }))
}

function placeEntry({ entries, hasMore }: TimelineEntries, entry: Activity): TimelineEntries {
  const before = entries.find(({ id }) => id === entry.id)
  const others = entries.filter(({ id }) => id !== entry.id)
  const place = others.findIndex((one) => isOlder(one, entry))
  // It comes with the rest, if it is further down than what is known.
  if (place < 0 && hasMore) return { entries: others, hasMore }
  const next = { ...before, ...entry }
  return { entries: others.toSpliced(place < 0 ? others.length : place, 0, next), hasMore }
}

/** Puts entries that were restored back where they were. */
export async function applyRestored(
  api: PocketBase,
  queries: QueryClient,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) {
    const entry = await api.collection<TimelineEntry>('activities').getOne(id, withRating)
    changeEntries(queries, entry.user, (known) => placeEntry(known, entry))
  }
}
