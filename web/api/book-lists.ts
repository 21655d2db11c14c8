import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query'
import type { ListResult } from 'pocketbase'
import { noFilter, type BookFilter } from '#shared/book-filter.ts'
import type { Bookshelf } from '#shared/bookshelf.ts'
import { percentRead, readingPosition } from '#shared/reading-position.ts'
import type { UserBook } from '#shared/user-book.ts'
import type { BookEdit, EditKind } from './library.ts'
import { keys } from './query-keys.ts'

type Cached = InfiniteData<ListResult<UserBook>> | ListResult<UserBook> | UserBook[]
/** Shelves page by page, or the names of all. */
type CachedShelves = InfiniteData<ListResult<Bookshelf>> | object[]
type Shelf = NonNullable<NonNullable<UserBook['expand']>['shelf']>

/** Changes the books on every list in the cache; what the change leaves out is gone from them. */
export function changeLists(queries: QueryClient, change: (books: UserBook[]) => UserBook[]): void {
  queries.setQueriesData<Cached>({ queryKey: keys.books }, (cached) => {
    if (!cached || Array.isArray(cached)) return cached && change(cached)
    if ('items' in cached) return { ...cached, items: change(cached.items) }
    return {
      ...cached,
      pages: cached.pages.map((page) => ({ ...page, items: change(page.items) })),
    }
  })
}

/** @returns the book on one of the lists */
export function findListedBook(queries: QueryClient, id: string): UserBook | undefined {
  for (const [, cached] of queries.getQueriesData<Cached>({ queryKey: keys.books })) {
    if (!cached) continue
    const lists = 'pages' in cached ? cached.pages : [cached]
    const books = lists.flatMap((list) => ('items' in list ? list.items : list))
    const found = books.find((book) => book.id === id)
    if (found) return found
  }
  return undefined
}

/** What lists are filtered and sorted by, besides how far a reader is. */
const listFields = [
  'shelf',
  'status',
  'title',
  'authors',
  'genres',
  'isbn',
  'tags',
  'rating',
  'position',
] as const satisfies (keyof UserBook)[]

/** Lists that depend on how far a reader is, or when they read last. */
function followsProgress({ queryKey }: Query): boolean {
  const [, list, , filter] = queryKey as [string, string, string, BookFilter?]
  if (list === 'reading' || list === 'palette') return true
  return list === 'user' && filter?.progress.join() !== noFilter.progress.join()
}

/**
 * Shows a book as an event has it on all lists.
 *
 * @returns false if it may belong on other lists now, or at another place: they must be fetched
 */
export function applyBookEvent(queries: QueryClient, record: UserBook): boolean {
  const known = findListedBook(queries, record.id)
  // An answer on its way may be older than the event.
  if (!known || queries.isFetching({ queryKey: keys.books }) > 0) return false
  if (listFields.some((name) => JSON.stringify(known[name]) !== JSON.stringify(record[name])))
    return false
  changeLists(queries, (books) =>
    books.map((book) => (book.id === record.id ? { ...book, ...record } : book)),
  )
  const others = { queryKey: keys.books, predicate: followsProgress }
  void queries.invalidateQueries({ ...others, refetchType: 'none' })
  return queries.getQueryCache().findAll({ ...others, type: 'active' }).length === 0
}

/**
 * Shows a shelf as an event has it.
 *
 * @returns false if it may stand at another place now: its lists must be fetched
 */
export function applyShelfEvent(queries: QueryClient, record: Bookshelf): boolean {
  const key = keys.shelf(record.id)
  const lists = { queryKey: keys.shelvesOfReader(record.user) }
  const known =
    queries.getQueryData<Bookshelf>(key) ??
    queries
      .getQueriesData<CachedShelves>(lists)
      .flatMap(([, cached]) => (cached && 'pages' in cached ? cached.pages : []))
      .flatMap(({ items }) => items)
      .find(({ id }) => id === record.id)
  if (!known || queries.isFetching(lists) + queries.isFetching({ queryKey: key }) > 0) return false
  if (known.name !== record.name || known.visibility !== record.visibility) return false
  const change = (shelf: Bookshelf) => (shelf.id === record.id ? { ...shelf, ...record } : shelf)
  queries.setQueryData<Bookshelf>(key, (shelf) => shelf && change(shelf))
  queries.setQueriesData<CachedShelves>(lists, (cached) =>
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
  const progress_percent = edit.progress_percent ?? book.progress_percent
  const asked = { ...book, ...fields, progress_percent, ...(image === '' ? { image } : {}) }
  const next = { ...asked, ...readingPosition(book, asked) }
  return {
    ...next,
    progress_average: percentRead(next),
    expand: { ...book.expand, ...(shelf ? { shelf } : {}) },
  }
}
