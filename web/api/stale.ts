import type { QueryClient } from '@tanstack/react-query'

/** What of the cache a change of a collection's records makes old: how the keys begin. */
const keysOf = {
  activities: ['activities'],
  bookshelves: ['shelves', 'shelf', 'profile'],
  // A status begins and ends a reading.
  user_books: ['books', 'profile', 'suggest', 'remember', 'readings', 'diary', 'tags'],
  readings: ['readings', 'diary'],
  quotes: ['quotes', 'remember'],
} as const

/** Collections whose records are on a reader's screens. */
export type ShownCollection = keyof typeof keysOf
export const shownCollections = Object.keys(keysOf) as ShownCollection[]

/** Keys that name the reader next. */
const ofOneReader: ReadonlySet<string> = new Set(['activities', 'shelves'])

/**
 * Makes old what a change of records may have touched.
 *
 * @param user whose records; left out: anybody's
 * @param refetch `none` leaves it to the next screen
 */
export async function invalidateCollections(
  queries: QueryClient,
  collections: readonly ShownCollection[],
  { user, refetch = 'active' }: { user?: string; refetch?: 'active' | 'none' } = {},
): Promise<void> {
  const keys = new Set(collections.flatMap((collection) => keysOf[collection]))
  const all = [...keys].map((key) => {
    const queryKey = user && ofOneReader.has(key) ? [key, user] : [key]
    return queries.invalidateQueries({ queryKey, refetchType: refetch })
  })
  await Promise.all(all)
}
