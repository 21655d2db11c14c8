import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import { useEffect } from 'react'
import type { Connection, DeviceBook, DeviceKind, NewConnection } from '#shared/connection.ts'
import { toIsbn10, toIsbn13 } from '#shared/isbn.ts'
import type { UserBook } from '#shared/user-book.ts'
import { useApi } from './context.ts'
import { listen } from './event-stream.ts'
import { liveFetch, liveQuery } from './live-fetch.ts'
import { keys } from './query-keys.ts'

/** The most books of devices that are shown. */
const maxShown = 100

/** A reader's connections, the newest first. */
export function connectionsQuery(api: PocketBase, user: string) {
  return queryOptions({
    queryKey: keys.connectionsOf(user),
    queryFn: async () => (await firstOf<Connection>(api, 'connections', user, '-created,id')).items,
    ...liveQuery,
  })
}

/** The books on a reader's devices, with the reader's own books that they are or may be. */
export function deviceBooksQuery(api: PocketBase, user: string) {
  return queryOptions({
    queryKey: keys.deviceBooksOf(user),
    queryFn: async () => {
      const { items } = await firstOf<DeviceBook>(api, 'device_books', user, '-pushed,id')
      const known = items.flatMap(({ book_key, proposal }) => book_key || proposal)
      return { books: items, own: await booksByKeys(api, user, known) }
    },
    ...liveQuery,
  })
}

const firstOf = <T>(api: PocketBase, collection: string, user: string, sort: string) =>
  api.collection<T>(collection).getList(1, maxShown, {
    filter: api.filter('user = {:user}', { user }),
    sort,
    skipTotal: true,
  })

/** Characters of a filter, which has 3,500 bytes at most. */
const maxFilter = 1000

async function booksByKeys(
  api: PocketBase,
  user: string,
  bookKeys: readonly string[],
): Promise<UserBook[]> {
  const filters: string[] = []
  for (const key of new Set(bookKeys)) {
    if (!key) continue
    const one = api.filter('book_key = {:key}', { key })
    const last = filters.at(-1) ?? ''
    if (last && last.length + one.length < maxFilter) filters[filters.length - 1] += ` || ${one}`
    else filters.push(one)
  }
  const own = api.filter('user = {:user}', { user })
  const lists = filters.map((any) =>
    api.collection<UserBook>('user_books').getFullList({ filter: `${own} && (${any})` }),
  )
  return (await Promise.all(lists)).flat()
}

/** Adds a connection; only this answer has its password. */
export function addConnection(
  api: PocketBase,
  values: { kind: DeviceKind; name: string },
): Promise<NewConnection> {
  return api.collection('connections').create<NewConnection>(values)
}

/** Services that a reader can connect. */
export type ServiceKind = 'audiobookshelf' | 'readwise'

/** Connects a service; its token is shown nowhere. */
export function addService(
  api: PocketBase,
  values: { kind: ServiceKind; name: string; address: string; token: string; sends: boolean },
): Promise<Connection> {
  return api.collection('connections').create<Connection>(values)
}

export function pauseConnection(
  api: PocketBase,
  { id }: Connection,
  paused: boolean,
): Promise<Connection> {
  return api.collection('connections').update(id, { paused })
}

/** Ends a connection at once; what it has saved stays. */
export function revokeConnection(api: PocketBase, { id }: Connection): Promise<boolean> {
  return api.collection('connections').delete(id)
}

/** Says which book a device reads, or that it is none of the reader's. */
export function bindDeviceBook(
  api: PocketBase,
  { id }: DeviceBook,
  values: Partial<Pick<DeviceBook, 'book_key' | 'ignored'>>,
): Promise<DeviceBook> {
  return api.collection('device_books').update(id, values)
}

/** @returns the reader's book with an ISBN in either length; null if there is none */
export async function findByIsbn(
  api: PocketBase,
  user: string,
  isbn: string,
): Promise<UserBook | null> {
  const lengths = { user, long: toIsbn13(isbn), short: toIsbn10(isbn) ?? toIsbn13(isbn) }
  const filter = api.filter('user = {:user} && (isbn = {:long} || isbn = {:short})', lengths)
  const query = { filter, skipTotal: true }
  const { items } = await api.collection<UserBook>('user_books').getList(1, 1, query)
  return items[0] ?? null
}

/** Keeps what is shown of a reader's connections live. */
export function useLiveConnections(user: string): void {
  const api = useApi()
  const queries = useQueryClient()
  useEffect(() => {
    const { run, finish } = liveFetch(queries, () =>
      queries.invalidateQueries({ queryKey: keys.connections }),
    )
    const filter = api.filter('user = {:user}', { user })
    const subscribe = () =>
      [
        'connections',
        'device_books',
        'api_tokens',
        'private_feeds',
        'webhooks',
        'webhook_deliveries',
      ].map((name) => api.collection(name).subscribe('*', run, { filter }))
    const endListening = listen(subscribe, run, run)
    return () => {
      finish()
      endListening()
    }
  }, [api, queries, user])
}
