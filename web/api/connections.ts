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

/** The most connections that are shown. */
const maxShown = 100

/** A connection, and the book that its device sent last, if it is one. */
export interface UsedConnection {
  connection: Connection
  last: DeviceBooks | null
}

/** A reader's connections, the newest first. */
export function connectionsQuery(api: PocketBase, user: string) {
  return queryOptions({
    queryKey: keys.connectionsOf(user),
    queryFn: async (): Promise<UsedConnection[]> => {
      const filter = api.filter('user = {:user}', { user })
      const query = { filter, sort: '-created,id', skipTotal: true }
      const { items } = await api.collection<Connection>('connections').getList(1, maxShown, query)
      return Promise.all(
        items.map(async (connection) => ({ connection, last: await lastBook(api, connection) })),
      )
    },
    ...liveQuery,
  })
}

async function lastBook(
  api: PocketBase,
  { id, user, kind }: Connection,
): Promise<DeviceBooks | null> {
  if (kind !== 'koreader') return null
  return deviceBooks(api, user, api.filter('connection = {:id} && pushed != ""', { id }), 1)
}

/** Some books on a reader's devices, with the reader's own books that they are or may be. */
export interface DeviceBooks {
  books: DeviceBook[]
  own: UserBook[]
  /** Whether the reader has more books of this kind. */
  hasMore: boolean
}

/** The books on a reader's devices that could be any of theirs, those that came last first. */
export function unknownBooksQuery(api: PocketBase, user: string, most: number) {
  const unknown = 'book_key = "" && ignored = false && pushed != ""'
  return queryOptions({
    queryKey: keys.unknownBooksOf(user, most),
    queryFn: () => deviceBooks(api, user, unknown, most),
    ...liveQuery,
  })
}

/** The books on a reader's devices that save their page, those that came last first. */
export function boundBooksQuery(api: PocketBase, user: string, most: number) {
  return queryOptions({
    queryKey: keys.boundBooksOf(user, most),
    queryFn: () => deviceBooks(api, user, 'book_key != ""', most),
    ...liveQuery,
  })
}

/** @returns the device's book of a name that is still unknown; null if there is none */
export async function findUnknownBook(
  api: PocketBase,
  user: string,
  document: string,
): Promise<DeviceBook | null> {
  const named = api.filter('document = {:document} && book_key = ""', { document })
  return (await deviceBooks(api, user, named, 1)).books[0] ?? null
}

async function deviceBooks(
  api: PocketBase,
  user: string,
  which: string,
  most: number,
): Promise<DeviceBooks> {
  const filter = `${api.filter('user = {:user}', { user })} && ${which}`
  const query = { filter, sort: '-pushed,id', skipTotal: true }
  const { items } = await api.collection<DeviceBook>('device_books').getList(1, most + 1, query)
  const books = items.slice(0, most)
  const known = books.flatMap(({ book_key, proposal }) => book_key || proposal)
  return { books, own: await booksByKeys(api, user, known), hasMore: items.length > most }
}

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
