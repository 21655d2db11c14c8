import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { ListResult } from 'pocketbase'
import type { Activity } from '#shared/activity.ts'
import type { Bookshelf, ShelfForm } from '#shared/bookshelf.ts'
import { toIsbn10, toIsbn13 } from '#shared/isbn.ts'
import type { UserBook, UserBookForm } from '#shared/user-book.ts'

/** Pages of a list of records, as the cache keeps them. */
interface Source<T> {
  key: readonly unknown[]
  fetch: (page: number) => Promise<ListResult<T>>
}

function pages<T>({ key, fetch }: Source<T>) {
  return infiniteQueryOptions({
    queryKey: key,
    queryFn: ({ pageParam }) => fetch(pageParam),
    initialPageParam: 1,
    getNextPageParam: (last) => (last.page < last.totalPages ? last.page + 1 : undefined),
  })
}

/** A reader's shelves, newest first, ten a page. */
export function shelvesQuery(api: PocketBase, user: string) {
  return pages<Bookshelf>({
    key: ['shelves', user],
    fetch: (page) =>
      api.collection<Bookshelf>('bookshelves').getList(page, 10, {
        filter: api.filter('user = {:user}', { user }),
        sort: '-created',
      }),
  })
}

/** All of a reader's shelves by name, to choose from. */
export function shelfNamesQuery(api: PocketBase, user: string) {
  return queryOptions({
    queryKey: ['shelves', user, 'names'],
    queryFn: () =>
      api.collection<Pick<Bookshelf, 'id' | 'name' | 'visibility'>>('bookshelves').getFullList({
        filter: api.filter('user = {:user}', { user }),
        sort: 'name',
        fields: 'id,name,visibility',
      }),
  })
}

/** One shelf with its owner. */
export function shelfQuery(api: PocketBase, id: string) {
  return queryOptions({
    queryKey: ['shelf', id],
    queryFn: () => api.collection<Bookshelf>('bookshelves').getOne(id, { expand: 'user' }),
  })
}

/** The books of one shelf by title, 20 a page. */
export function shelfBooksQuery(api: PocketBase, shelf: string) {
  return pages<UserBook>({
    key: ['books', 'shelf', shelf],
    fetch: (page) =>
      api.collection<UserBook>('user_books').getList(page, 20, {
        filter: api.filter('shelf = {:shelf}', { shelf }),
        sort: 'title',
        expand: 'shelf,user',
      }),
  })
}

export const bookSorts = {
  '-rating': 'Highest',
  rating: 'Lowest',
  title: 'A-Z',
  '-title': 'Z-A',
  '-created': 'Recently Added',
  created: 'Oldest Added',
} as const
export type BookSort = keyof typeof bookSorts

/** A reader's books, 15 a page, highest rated first unless another order is chosen. */
export function booksQuery(api: PocketBase, user: string, sort: BookSort = '-rating') {
  return pages<UserBook>({
    key: ['books', 'user', user, sort],
    fetch: (page) =>
      api.collection<UserBook>('user_books').getList(page, 15, {
        filter: api.filter('user = {:user}', { user }),
        sort,
        expand: 'shelf,user',
      }),
  })
}

/** Where a reader already has the book: ISBN-10 and ISBN-13 are the same book. */
export function copiesQuery(api: PocketBase, user: string, isbn: string) {
  return queryOptions({
    queryKey: ['books', 'copies', user, isbn],
    queryFn: () =>
      api.collection<UserBook>('user_books').getFullList({
        filter: api.filter('user = {:user} && (isbn = {:isbn13} || isbn = {:isbn10})', {
          user,
          isbn13: toIsbn13(isbn) ?? isbn,
          isbn10: toIsbn10(isbn) ?? isbn,
        }),
        expand: 'shelf',
      }),
    staleTime: 5 * 60_000,
  })
}

/** What a reader did, newest first. */
export function activitiesQuery(api: PocketBase, user: string) {
  return pages<Activity>({
    key: ['activities', user],
    fetch: (page) =>
      api.collection<Activity>('activities').getList(page, 15, {
        filter: api.filter('user = {:user}', { user }),
        sort: '-created',
      }),
  })
}

export function createShelf(api: PocketBase, form: ShelfForm): Promise<Bookshelf> {
  return api.collection<Bookshelf>('bookshelves').create(form)
}

export function updateShelf(
  api: PocketBase,
  id: string,
  form: Partial<ShelfForm>,
): Promise<Bookshelf> {
  return api.collection<Bookshelf>('bookshelves').update(id, form)
}

/** Removes the shelf and every book on it. */
export function deleteShelf(api: PocketBase, id: string): Promise<boolean> {
  return api.collection('bookshelves').delete(id)
}

/** A picture of one's own, beside the fields of the form; '' takes it away. */
interface WithPicture {
  image?: File | ''
}

export function addBook(api: PocketBase, form: UserBookForm & WithPicture): Promise<UserBook> {
  return api.collection<UserBook>('user_books').create({ ...form }, { expand: 'shelf,user' })
}

export type BookEdit = Partial<UserBookForm> & WithPicture

export function updateBook(api: PocketBase, id: string, edit: BookEdit): Promise<UserBook> {
  return api.collection<UserBook>('user_books').update(id, edit, { expand: 'shelf,user' })
}

export function removeBook(api: PocketBase, id: string): Promise<boolean> {
  return api.collection('user_books').delete(id)
}
