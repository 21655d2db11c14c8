import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query'
import type { ListResult } from 'pocketbase'
import type PocketBase from 'pocketbase'
import { noFilter, type BookFilter, type BookSort } from '#shared/book-filter.ts'
import type { Bookshelf } from '#shared/bookshelf.ts'
import { percentRead, readingPosition } from '#shared/reading-position.ts'
import type { UserBook } from '#shared/user-book.ts'
import { refreshLibrary, type BookEdit, type EditKind } from './library.ts'
import { changeCached, invalidateNames, keys, staleQueries, type QueryName } from './query-keys.ts'
import { updateReadingNow } from './reading.ts'

type Cached = InfiniteData<ListResult<UserBook>> | ListResult<UserBook> | UserBook[]
/** Shelves page by page, or the names of all. */
type CachedShelves =
  | InfiniteData<ListResult<Bookshelf>>
  | Pick<Bookshelf, 'id' | 'name' | 'visibility'>[]
type Shelf = NonNullable<NonNullable<UserBook['expand']>['shelf']>

/** Changes the books on every list in the cache; books that the change leaves out are removed. */
export function changeLists(queries: QueryClient, change: (books: UserBook[]) => UserBook[]): void {
  changeCached<Cached>(queries, { queryKey: keys.books }, (cached) => {
    if (!cached || Array.isArray(cached)) return cached && change(cached)
    if ('items' in cached) return { ...cached, items: change(cached.items) }
    return {
      ...cached,
      pages: cached.pages.map((page) => ({ ...page, items: change(page.items) })),
    }
  })
}

/** @returns the book as each list has it: one that was fetched earlier may have an older state */
function listedCopies(queries: QueryClient, id: string): UserBook[] {
  return queries.getQueriesData<Cached>({ queryKey: keys.books }).flatMap(([, cached]) => {
    const lists = cached && 'pages' in cached ? cached.pages : [cached ?? []]
    const books = lists.flatMap((list) => ('items' in list ? list.items : list))
    return books.find((book) => book.id === id) ?? []
  })
}

/** @returns the book on one of the lists */
export const findListedBook = (queries: QueryClient, id: string): UserBook | undefined =>
  listedCopies(queries, id)[0]

/** By these a book is another one to lists, searches and the timeline. */
const identity = [
  'title',
  'authors',
  'genres',
  'isbn',
  'tags',
] as const satisfies (keyof UserBook)[]

/** What readers change most, and what it makes stale besides lists: how the keys begin. */
const staleByField: Readonly<Record<string, readonly QueryName[]>> = {
  // A status begins and ends a reading.
  status: ['profile', 'readings', 'diary', 'statistics', 'goals', 'readers-of-book'],
  progress: ['profile', 'statistics'],
  progress_percent: ['statistics'],
  progress_minutes: ['statistics'],
  progress_average: [],
  rating: ['profile', 'readings', 'statistics', 'goals', 'activities', 'readers-of-book'],
  position: [],
  shelf: [],
  updated: [],
  expand: [],
}

/**
 * Invalidates the lists that a change may have brought a book to, taken it off, or moved it on;
 * {@link refetchInvalidated} fetches them.
 *
 * @returns how the keys begin of what else is stale
 */
function invalidateChanged(
  queries: QueryClient,
  before: UserBook,
  after: UserBook,
): readonly QueryName[] {
  const names = Object.keys(after) as (keyof UserBook)[]
  const changed = new Set<string>(
    names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])),
  )
  if (changed.size === 0) return []
  // An answer on its way may be older than the change.
  const isFetching = queries.isFetching({ queryKey: keys.books }) > 0
  if (isFetching || identity.some((name) => changed.has(name))) return staleQueries.user_books
  const isPlanned = before.status === 'planning' || after.status === 'planning'
  const isReading = before.status === 'reading' || after.status === 'reading'
  const isPlaced = isReading && updateReadingNow(queries, { ...before, ...after })
  const isAffected = ({ queryKey }: Query): boolean => {
    const [, list, , chosenBy] = queryKey as [string, string, string, (BookFilter | BookSort)?]
    if (list === 'user') return fieldsOf(chosenBy as BookFilter).some((name) => changed.has(name))
    if (list === 'shelf') return changed.has('shelf') || changed.has(fieldOf(chosenBy as BookSort))
    if (list === 'next' || list === 'queue' || list === 'wishlist')
      return isPlanned && (changed.has('status') || changed.has('position'))
    return isReading && (list === 'palette' || (list === 'reading' && !isPlaced))
  }
  void queries.invalidateQueries({
    queryKey: keys.books,
    predicate: isAffected,
    refetchType: 'none',
  })
  const others = [...changed].flatMap((name) => staleByField[name] ?? staleQueries.user_books)
  return [...new Set<QueryName>(['suggest', 'remember', ...others])].filter(
    (name) => name !== 'books',
  )
}

const fieldOf = (sort: BookSort) => sort.replace('-', '')

/** @returns the fields that a list of a reader's books is chosen and ordered by */
function fieldsOf(filter: BookFilter): string[] {
  const fields = {
    shelves: 'shelf',
    progress: 'progress_average',
    status: 'status',
    rating: 'rating',
  }
  const chosenBy = Object.entries(fields).filter(([name]) => {
    const part = name as keyof typeof fields
    return filter[part].join() !== noFilter[part].join()
  })
  return [fieldOf(filter.sort), ...chosenBy.map(([, field]) => field)]
}

/**
 * Shows a book as an event has it on all lists.
 *
 * @returns how the keys begin of what must be fetched all the same
 */
export function applyBookEvent(queries: QueryClient, record: UserBook): readonly QueryName[] {
  const copies = listedCopies(queries, record.id)
  const [oldest] = copies.toSorted((a, b) => (a.updated < b.updated ? -1 : 1))
  // An event has no name of a shelf.
  if (!oldest || copies.some(({ shelf }) => shelf !== record.shelf)) return staleQueries.user_books
  // The answer to an edit made here was quicker.
  const isOlder = (book: UserBook) => book.id === record.id && book.updated <= record.updated
  if (!isOlder(oldest)) return []
  changeLists(queries, (books) =>
    books.map((book) => (isOlder(book) ? { ...book, ...record } : book)),
  )
  return invalidateChanged(queries, oldest, record)
}

/**
 * Invalidates what an edit made here has touched, to be fetched by {@link refetchInvalidated}. What
 * events bring to the screen isn't fetched as well.
 *
 * @param saved the book as the server has it now; undefined if it was not saved
 */
export function invalidateEdited(
  api: PocketBase,
  queries: QueryClient,
  before: UserBook | undefined,
  saved: UserBook | undefined,
): void {
  if (!before || !saved || !api.realtime.isConnected) return refreshLibrary(queries, 'none')
  const stale = invalidateChanged(queries, before, saved)
  // The timeline was renamed, too, without an event.
  if (stale.includes('books')) return refreshLibrary(queries, 'none')
  void invalidateNames(queries, stale, { refetch: 'none' })
  // No edit of a book renames a shelf.
  const predicate = ({ queryKey }: Query) => queryKey.at(-1) !== 'names'
  for (const name of [...staleQueries.activities, ...staleQueries.bookshelves]) {
    const away = { queryKey: [name], type: 'inactive', predicate } as const
    void queries.invalidateQueries({ ...away, refetchType: 'none' })
  }
}

/**
 * Shows a shelf as an event has it.
 *
 * @returns false if it may stand at another place now: its lists must be fetched
 */
export function applyShelfEvent(queries: QueryClient, record: Bookshelf): boolean {
  const key = keys.shelf(record.id)
  const lists = { queryKey: keys.shelvesOfReader(record.user) }
  const listed = queries
    .getQueriesData<CachedShelves>(lists)
    .flatMap(([, cached]) =>
      cached && 'pages' in cached ? cached.pages.flatMap(({ items }) => items) : (cached ?? []),
    )
  const known = queries.getQueryData<Bookshelf>(key) ?? listed.find(({ id }) => id === record.id)
  if (!known || queries.isFetching(lists) + queries.isFetching({ queryKey: key }) > 0) return false
  if (known.name !== record.name || known.visibility !== record.visibility) return false
  const change = (shelf: Bookshelf) => (shelf.id === record.id ? { ...shelf, ...record } : shelf)
  changeCached<Bookshelf>(
    queries,
    { queryKey: key, exact: true },
    (shelf) => shelf && change(shelf),
  )
  changeCached<CachedShelves>(queries, lists, (cached) =>
    cached && 'pages' in cached
      ? {
          ...cached,
          pages: cached.pages.map((page) => ({ ...page, items: page.items.map(change) })),
        }
      : cached,
  )
  return true
}

export type EditRequest = BookEdit & EditKind

/** @returns the book as it will be, with the shelf it goes to if that is known */
export function applyEdit(book: UserBook, edit: EditRequest, shelf?: Shelf): UserBook {
  // A picture on its way has no name yet.
  const { image, ...fields } = edit
  // No fields of a book.
  delete fields.isUndo
  delete fields.isRemoved
  delete fields.finished
  const progress_percent = edit.progress_percent ?? book.progress_percent
  const asked = { ...book, ...fields, progress_percent, ...(image === '' ? { image } : {}) }
  const next = { ...asked, ...readingPosition(book, asked) }
  return {
    ...next,
    progress_average: percentRead(next),
    expand: { ...book.expand, ...(shelf ? { shelf } : {}) },
  }
}
