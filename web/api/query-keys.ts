import type { QueryClient } from '@tanstack/react-query'

/** The keys of all cached queries. A shorter key stands for all keys that begin with it. */
export const keys = {
  site: ['site'],
  session: ['session'],
  openSessions: ['open-sessions'],
  /** When the reader's records last changed, by the server's latest answer. */
  lastChange: ['last-change'],
  mailIsLate: (mfaId: string) => ['mail-is-late', mfaId],

  book: (isbn: string) => ['book', isbn],
  publicRecord: (isbn: string) => ['public-record', isbn],
  curated: (limit?: number) => ['curated', limit],
  described: (text: string) => ['described', text],
  editions: (book: string) => ['editions', book],
  offers: (query: object) => ['offers', query],
  readersOfBook: (book: string, page: number) => ['readers-of-book', book, page],
  series: (id: string) => ['series', id],
  author: (id: string, page: number) => ['author', id, page],
  similar: (book: string) => ['similar', book],
  sources: (query: object) => ['sources', query],
  search: (form: object) => ['search', form],
  externalSearch: (form: unknown) => ['outside', 'search', form],
  searchCheck: (address: string) => ['asked', address],
  suggest: (user: string, text: string) => ['suggest', user, text] as const,
  remember: (user: string, text: string, titles: boolean) =>
    ['remember', user, text, titles] as const,
  landing: ['landing'],
  landingSearch: ['landing', 'found'],
  sampleLibrary: ['landing', 'sample'],

  books: ['books'],
  booksById: (ids: readonly string[]) => ['books', 'ids', ids],
  booksOfReader: (user: string, filter: object) => ['books', 'user', user, filter],
  booksOnShelf: (shelf: string, order: string) => ['books', 'shelf', shelf, order],
  record: (id: string) => ['books', 'record', id],
  copiesOfRecord: (id: string) => ['books', 'record', id, 'copies'],
  copies: (user: string, isbn: string) => ['books', 'copies', user, isbn],
  ownedBooks: (user: string, ...isbns: readonly (string | null)[][]) => [
    'books',
    'owned',
    user,
    ...isbns,
  ],
  paletteBooks: (user: string) => ['books', 'palette', user],
  queue: (user: string) => ['books', 'queue', user],
  readingNow: (user: string) => ['books', 'reading', user],
  upNext: (user: string) => ['books', 'next', user],
  wishlist: (user: string) => ['books', 'wishlist', user],
  shelf: (id: string) => ['shelf', id],
  shelvesOfReader: (user: string) => ['shelves', user],
  shelves: (user: string, search: object) => ['shelves', user, search],
  shelfNames: (user: string) => ['shelves', user, 'names'],
  spines: (user: string) => ['spines', user],
  trash: ['removed'],
  pile: (user: string) => ['pile', user],
  outboxCode: ['waiting-changes'],

  journalEntries: (collection: string, user: string, book: string) => [collection, user, book],
  lastFinished: (user: string, book: string) => ['readings', user, book, 'finished'],
  diary: (username: string, selection: object) => ['diary', username, selection],
  goals: (username: string) => ['goals', username],
  finishedInYear: (user: string, year: string) => ['readings', user, 'year', year],
  topRated: (user: string, period: string) => ['readings', user, 'top', period],
  nextInSeries: (user: string, isbn: string) => ['next-in-series', user, isbn],
  statusCounts: (user: string) => ['status-counts', user],
  ownSeries: (user: string) => ['own-series', user],
  nextVolumes: (user: string) => ['own-series', user, 'next'],
  becauseLiked: (user: string) => ['own-series', user, 'liked'],
  ownInSeries: (user: string, id: string) => ['own-series', user, 'in', id],
  statistics: (username: string, form: object) => ['statistics', username, form],
  finishedMonths: (username: string) => ['statistics', username, 'months'],
  tags: (username: string) => ['tags', username],
  tagPages: (username: string) => ['tags', username, 'pages'],
  timelines: ['activities'],
  timeline: (user: string) => ['activities', user],

  profiles: ['profile'],
  profile: (username: string) => ['profile', username],
  profileNumbers: (username: string) => ['profile', username, 'numbers'],
  readers: (form: object) => ['readers', form],
  foundReaders: (text: string) => ['readers', 'found', text],

  admin: ['admin'],
  adminPart: (part: string, query: object) => ['admin', part, query],

  connections: ['connections'],
  connectionsOf: (user: string) => ['connections', user, 'list'],
  unknownBooksOf: (user: string, most: number) => ['connections', user, 'unknownBooks', most],
  boundBooksOf: (user: string, most: number) => ['connections', user, 'boundBooks', most],
  linkedProvidersOf: (user: string) => ['connections', user, 'providers'],
  passkeysOf: (user: string) => ['connections', user, 'passkeys'],
  privateFeedOf: (user: string) => ['connections', user, 'feed'],
  apiTokensOf: (user: string) => ['connections', user, 'tokens'],
  unknownDeviceBook: (user: string) => ['connections', user, 'unknown'],
  webhooksOf: (user: string) => ['connections', user, 'webhooks'],

  completion: (importId: string) => ['completion', importId],
  imports: ['imports'],
  importsOf: (user: string) => ['imports', user],
  anyImport: ['import'],
  import: (id: string) => ['import', id],
  rowsOfImport: (id: string) => ['import', id, 'rows'],
  importRows: (id: string, state: string, page: number) => ['import', id, 'rows', state, page],
  importWall: (id: string) => ['import', id, 'wall'],
}

/** @returns whether another viewer may be shown something else under the key */
export const isPersonal = ({ queryKey: [name] }: { queryKey: readonly unknown[] }): boolean =>
  name !== keys.session[0] && name !== keys.site[0]

/** The queries that a change of a collection's records makes stale, by the first part of their keys. */
export const staleQueries = {
  activities: ['activities'],
  bookshelves: ['shelves', 'shelf', 'profile'],
  user_books: [
    'books',
    'profile',
    'suggest',
    'remember',
    // A status begins and ends a reading.
    'readings',
    'diary',
    'statistics',
    'status-counts',
    'goals',
    'tags',
    'readers-of-book',
    'own-series',
  ],
  readings: ['readings', 'diary', 'statistics', 'goals', 'readers-of-book'],
  quotes: ['quotes', 'remember'],
} as const

/** The collections whose records are in the query cache. */
export type CachedCollection = keyof typeof staleQueries
export const cachedCollections = Object.keys(staleQueries) as CachedCollection[]

/** Keys that name the reader next. */
const ofOneReader: ReadonlySet<string> = new Set(['activities', 'shelves'])

/**
 * Invalidates what a change of records may have touched.
 *
 * @param refetch `none` leaves it to the next screen
 */
export async function invalidateCollections(
  queries: QueryClient,
  collections: readonly CachedCollection[],
  { refetch }: { refetch?: 'active' | 'none' } = {},
): Promise<void> {
  const names = new Set(collections.flatMap((collection) => staleQueries[collection]))
  await invalidateNames(queries, names, { refetch })
}

/** The same by how the keys begin; those of one reader only, if given. */
export async function invalidateNames(
  queries: QueryClient,
  names: Iterable<string>,
  options: { user?: string; refetch?: 'active' | 'none' | undefined } = {},
): Promise<void> {
  const { user, refetch = 'active' } = options
  const all = [...names].map((name) => {
    const queryKey = user && ofOneReader.has(name) ? [name, user] : [name]
    return queries.invalidateQueries({ queryKey, refetchType: refetch })
  })
  await Promise.all(all)
}

/** Changes cached answers. Those that were invalidated and not fetched yet still are. */
export function changeCached<Answer>(
  queries: QueryClient,
  filters: { queryKey: readonly unknown[]; exact?: boolean },
  change: (cached: Answer | undefined) => Answer | undefined,
): void {
  const invalidated = queries.getQueryCache().findAll({ ...filters, predicate: isInvalidated })
  queries.setQueriesData<Answer>(filters, change)
  for (const query of invalidated) query.invalidate()
}

/** Fetches what is on the screen and was invalidated without being fetched. */
export function refetchInvalidated(
  queries: QueryClient,
  queryKey: readonly unknown[] = [],
): Promise<void> {
  return queries.refetchQueries({ queryKey, type: 'active', predicate: isInvalidated })
}

/** Resolves when what is on the screen and was invalidated has been fetched. */
export function untilRefetched(queries: QueryClient): Promise<void> {
  const filters = { type: 'active', predicate: isInvalidated } as const
  return queries.refetchQueries(filters, { cancelRefetch: false })
}

const isInvalidated = ({ state }: { state: { isInvalidated: boolean } }) => state.isInvalidated
