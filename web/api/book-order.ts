import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { ListResult } from 'pocketbase'
import type PocketBase from 'pocketbase'
import type { BookMove } from '#shared/book-order.ts'
import { bookKey, type UserBook } from '#shared/user-book.ts'
import { uniqueBooks, queueOrder, upNextQuery } from './reading.ts'
import { whenSignedIn } from './session.ts'
import { changeCached, keys } from './query-keys.ts'
import { pagedQuery } from './library-lists.ts'

/** Books in a page of the queue. */
const size = 60

/** All that a reader plans to read, in their own order; a book on two shelves is two records. */
export function queueQuery(api: PocketBase, user: string) {
  const query = pagedQuery<UserBook>({
    key: keys.queue(user),
    fetch: (page) =>
      api.collection<UserBook>('user_books').getList(page, size, {
        filter: api.filter('user = {:user} && status = "planning"', { user }),
        sort: queueOrder,
      }),
  })
  return { ...query, meta: whenSignedIn }
}

/** Puts a book at another place in the reader's own order. */
export async function moveBook(api: PocketBase, move: BookMove): Promise<void> {
  await api.send('/api/v1/library/order', { method: 'POST', body: move })
}

/** Shows a move in the queue before it is saved. */
export function applyMove(
  queries: QueryClient,
  api: PocketBase,
  user: string,
  { book, after }: BookMove,
): void {
  const { queryKey } = queueQuery(api, user)
  changeCached<InfiniteData<ListResult<UserBook>>>(queries, { queryKey, exact: true }, (cached) => {
    if (!cached) return cached
    const all = cached.pages.flatMap(({ items }) => items)
    const moved = all.find(({ id }) => id === book)
    if (!moved) return cached
    const others = all.filter((one) => bookKey(one) !== bookKey(moved))
    const copies = all.filter((one) => bookKey(one) === bookKey(moved))
    others.splice(after ? others.findIndex(({ id }) => id === after) + 1 : 0, 0, ...copies)
    let start = 0
    const pages = cached.pages.map((page) => {
      const items = others.slice(start, start + page.items.length)
      start += page.items.length
      return { ...page, items }
    })
    return { ...cached, pages }
  })
  const queue = queries.getQueryData(queryKey)?.pages.flatMap(({ items }) => items)
  const { queryKey: upNext } = upNextQuery(api, user)
  changeCached<UserBook[]>(queries, { queryKey: upNext, exact: true }, (shown) =>
    shown && queue ? uniqueBooks(queue).slice(0, shown.length) : shown,
  )
}
