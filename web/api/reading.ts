import { queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { DeviceBook } from '#shared/connection.ts'
import { toIsbn10, toIsbn13 } from '#shared/isbn.ts'
import { bookKey, type UserBook } from '#shared/user-book.ts'
import { ifInvalidated } from './query-client.ts'
import { whenSignedIn } from './session.ts'
import { keys } from './query-keys.ts'
import { serverNow } from '#web/i18n/server-clock.ts'

/** How many books being read are shown. */
const maxReading = 12

/** How many books of the queue are shown. */
const maxUpNext = 6

/** The books a reader is reading, last changed first; a book on two shelves counts once. */
export function readingNowQuery(api: PocketBase, user: string) {
  return queryOptions({
    queryKey: keys.readingNow(user),
    queryFn: () => firstBooks(api, user, 'status = "reading"', '-updated,id', maxReading),
  })
}

const planned = 'status = "planning"'
/** A reader's own order of the books they plan to read. */
export const queueOrder = '-position,-created,id'

/** The books a reader plans to read, in their own order. A book on two shelves appears once. */
export function upNextQuery(api: PocketBase, user: string) {
  return queryOptions({
    queryKey: keys.upNext(user),
    queryFn: () => firstBooks(api, user, planned, queueOrder, maxUpNext),
    meta: whenSignedIn,
  })
}

async function firstBooks(
  api: PocketBase,
  user: string,
  condition: string,
  sort: string,
  max: number,
): Promise<UserBook[]> {
  const filter = `${api.filter('user = {:user}', { user })} && ${condition}`
  const { items } = await api
    .collection<UserBook>('user_books')
    .getList(1, 2 * max, { filter, sort, skipTotal: true, expand: 'shelf,user' })
  return uniqueBooks(items).slice(0, max)
}

/** @returns of each book the record that comes first */
export function uniqueBooks(books: readonly UserBook[]): UserBook[] {
  const first = new Map(books.toReversed().map((book) => [bookKey(book), book.id]))
  return books.filter((book) => first.get(bookKey(book)) === book.id)
}

/** Milliseconds for which a book on a device asks for an answer on Explore. */
const asksFor = 30 * 86_400_000

/**
 * The last book on a device of which its reader has to say which it is; null if there is none. What
 * was read long ago, as a device's statistics tell, can wait.
 */
export function unknownDeviceBookQuery(api: PocketBase, user: string) {
  return queryOptions({
    queryKey: keys.unknownDeviceBook(user),
    queryFn: async () => {
      const since = new Date(serverNow() - asksFor)
      const recent = api.filter('user = {:user} && pushed >= {:since}', { user, since })
      const filter = `${recent} && book_key = "" && ignored = false`
      const query = { filter, sort: '-pushed,id', fields: 'id,device', skipTotal: true }
      const { items } = await api
        .collection<Pick<DeviceBook, 'id' | 'device'>>('device_books')
        .getList(1, 1, query)
      return items[0] ?? null
    },
  })
}

/** The identity of a book of the catalogue or of another reader. */
export type KeyedBook = Parameters<typeof bookKey>[0]

/** So many books at most fit into one call: a filter has 3,500 bytes. */
export const maxOwnedPerRequest = 24

/** The reader's own records of some books, {@link maxOwnedPerRequest} at most. */
export function ownedQuery(api: PocketBase, user: string, books: readonly KeyedBook[]) {
  const isbns = books.flatMap(({ isbn }) => [toIsbn13(isbn), toIsbn10(isbn)]).filter((one) => one)
  return queryOptions({
    queryKey: keys.ownedBooks(user, isbns),
    queryFn: () => {
      const anyOf = isbns.map((isbn) => api.filter('isbn = {:isbn}', { isbn })).join(' || ')
      return api.collection<UserBook>('user_books').getFullList({
        filter: `${api.filter('user = {:user}', { user })} && (${anyOf})`,
        sort: '-updated,id',
        expand: 'shelf,user',
      })
    },
    enabled: user !== '' && isbns.length > 0,
    refetchOnMount: ifInvalidated,
  })
}

/** The reader's own records with some ids, {@link maxOwnedPerRequest} at most. */
export function ownRecordsQuery(api: PocketBase, user: string, ids: readonly string[]) {
  return queryOptions({
    queryKey: keys.ownedBooks(user, [...ids]),
    queryFn: () =>
      api.collection<UserBook>('user_books').getFullList({
        filter: ids.map((id) => api.filter('id = {:id}', { id })).join(' || '),
        expand: 'shelf,user',
      }),
    enabled: user !== '' && ids.length > 0,
    refetchOnMount: ifInvalidated,
  })
}
