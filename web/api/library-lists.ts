import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { ListResult } from 'pocketbase'
import type { Bookshelf } from '#shared/bookshelf.ts'
import { filterRanges, type BookFilter, type BookSort, type Range } from '#shared/book-filter.ts'
import { isbnForms } from '#shared/isbn.ts'
import { displayWidth } from '#shared/text.ts'
import type { StatusCounts, UserBook } from '#shared/user-book.ts'
import { t } from '#web/i18n/shell.ts'
import { withErrorMessage } from './errors.ts'
import { fetchData } from './fetch-data.ts'
import { pageByPage } from './pages-in-sight.ts'
import { ifInvalidated } from './query-client.ts'
import { keys } from './query-keys.ts'

/** Pages of a list of records, as the cache keeps them. */
interface Source<T> {
  key: readonly unknown[]
  fetch: (page: number) => Promise<ListResult<T>>
}

export function pagedQuery<T>({ key, fetch }: Source<T>) {
  return infiniteQueryOptions({
    queryKey: key,
    queryFn: pageByPage<ListResult<T>>(({ pageParam }) => fetch(pageParam)),
    initialPageParam: 1,
    getNextPageParam: (last) => (last.page < last.totalPages ? last.page + 1 : undefined),
  })
}

/** @returns the filter of shelves by name, if that has enough letters */
export function shelvesFilter(api: PocketBase, user: string, name: string): string {
  return displayWidth(name) >= shelfSearchMin
    ? api.filter('user = {:user} && name ~ {:name}', { user, name })
    : api.filter('user = {:user}', { user })
}

/** A search for shelves by name begins with the third character. */
const shelfSearchMin = 3

/** A reader's shelves, newest first, ten a page; those only whose name has the words, if any. */
export function shelvesQuery(api: PocketBase, user: string, name = '') {
  const isSearch = displayWidth(name) >= shelfSearchMin
  return pagedQuery<Bookshelf>({
    key: keys.shelves(user, isSearch ? { name } : {}),
    fetch: (page) =>
      api.collection<Bookshelf>('bookshelves').getList(page, 10, {
        filter: shelvesFilter(api, user, name),
        sort: '-created',
      }),
  })
}

/** Sort orders that read an index backwards. */
const backwards: ReadonlySet<BookSort> = new Set(['rating', '-title', 'created'])

/** A list of books that is fetched page by page, each page by itself. */
export interface PagedBooks {
  key: readonly unknown[]
  /** Books in a page. */
  size: number
  /** @param page the first is 1, and alone counts the books */
  page: (page: number) => ReturnType<typeof booksPage>
}

/** Lists show no descriptions, which would be most of what is sent. */
const listedFields = '*,description:excerpt(1)'

interface BooksRequest {
  filter: string
  sort: string
  key: readonly unknown[]
  size: number
}

/**
 * Pages are kept one by one, and not for long, so that a long list takes no more room than what is
 * in sight; all but the first leave the counting to it.
 */
function booksPage(api: PocketBase, { filter, sort, key, size }: BooksRequest, page: number) {
  return queryOptions({
    queryKey: [...key, page],
    queryFn: () =>
      withErrorMessage(t('failedToRetrieveTheBooks'), () =>
        api.collection<UserBook>('user_books').getList(page, size, {
          filter,
          sort,
          expand: 'shelf,user',
          fields: listedFields,
          ...(page > 1 && { skipTotal: true }),
        }),
      ),
    // It may have changed while it was out of sight.
    refetchOnMount: ifInvalidated,
    ...(!import.meta.env.SSR && page > 1 && { gcTime: 10_000 }),
  })
}

/** @returns a list of the books that a filter lets through */
export function pagedBooks(api: PocketBase, asked: BooksRequest): PagedBooks {
  const { key, size } = asked
  return { key, size, page: (page) => booksPage(api, asked, page) }
}

/** The same index answers both directions, and ties fall as it has them. */
function withTieBreaker(sort: BookSort): string {
  return `${sort},${backwards.has(sort) ? '-id' : 'id'}`
}

/** A reader's books that a filter lets through, 15 a page; of the best, those being read first. */
export function readerBooks(api: PocketBase, user: string, filter: BookFilter): PagedBooks {
  const order = withTieBreaker(filter.sort)
  const sort = filter.sort === '-rating' ? `-being_read,${order}` : order
  const key = keys.booksOfReader(user, filter)
  return pagedBooks(api, { filter: bookFilter(api, user, filter), sort, key, size: 15 })
}

/** How many of the reader's own books have each status. */
export function statusCountsQuery(api: PocketBase, user: string) {
  return queryOptions({
    queryKey: keys.statusCounts(user),
    queryFn: () => fetchData<StatusCounts>(api, '/api/v1/library/statuses'),
  })
}

/** The books of one shelf, 20 a page. */
export function shelfBooks(api: PocketBase, shelf: string, order: BookSort): PagedBooks {
  const filter = api.filter('shelf = {:shelf}', { shelf })
  const key = keys.booksOnShelf(shelf, order)
  return pagedBooks(api, { filter, sort: withTieBreaker(order), key, size: 20 })
}

/** @returns the filter in the records' language */
export function bookFilter(api: PocketBase, user: string, filter: BookFilter): string {
  const { status, title, author, genre, isbn, tag, language, shelves, progress, rating } = filter
  const { format, read, without } = filter
  const is = (condition: string, value: string | number) => api.filter(condition, { value })
  const anyOf = (field: string, values: readonly string[]) =>
    values.length > 0 && `(${values.map((value) => is(`${field} = {:value}`, value)).join(' || ')})`
  const within = (field: string, range: Range, { min, max }: { min: number; max: number }) => [
    range[0] > min && is(`${field} >= {:value}`, range[0]),
    range[1] < max && is(`${field} <= {:value}`, range[1]),
  ]
  return [
    is('user = {:value}', user),
    anyOf('status', status),
    title && is('title:folded ~ {:value}', title),
    author && is('authors:folded ~ {:value}', author),
    genre && is('genres:folded ~ {:value}', genre),
    isbn &&
      `(${isbnForms(isbn)
        .map((form) => is('isbn ~ {:value}', form))
        .join(' || ')})`,
    tag && is('tags:folded ~ {:value}', tag),
    language && is('language = {:value}', language),
    format && is('format = {:value}', format),
    read && is('years_read ~ {:value}', read),
    without.includes('rating') && 'rating = 0',
    without.includes('review') && 'review = ""',
    anyOf('shelf', shelves),
    ...within('progress_average', progress, filterRanges.progress),
    ...within('rating', rating, filterRanges.rating),
  ]
    .filter(Boolean)
    .join(' && ')
}

/** The books a reader plans to read and that a shop could have, newest first. */
export function wishlistQuery(api: PocketBase, user: string) {
  return pagedQuery<UserBook>({
    key: keys.wishlist(user),
    fetch: (page) =>
      withErrorMessage(t('failedToRetrieveTheBooks'), () =>
        api.collection<UserBook>('user_books').getList(page, 15, {
          filter: api.filter('user = {:user} && status = "planning" && isbn != ""', { user }),
          sort: '-created',
          expand: 'shelf,user',
          fields: listedFields,
        }),
      ),
  })
}
