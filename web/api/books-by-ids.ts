import type PocketBase from 'pocketbase'
import type { ListResult } from 'pocketbase'
import type { UserBook } from '#shared/user-book.ts'
import { pagedBooks, type PagedBooks } from './library-lists.ts'
import { keys } from './query-keys.ts'

/** @param ids of at least one book; they stand on one page in this order */
export function booksByIds(api: PocketBase, ids: readonly string[]): PagedBooks {
  const filter = ids.map((id) => api.filter('id = {:id}', { id })).join(' || ')
  const books = pagedBooks(api, {
    filter,
    sort: 'id',
    key: keys.booksById(ids),
    size: ids.length,
  })
  const arrange = (list: ListResult<UserBook>) => ({
    ...list,
    items: list.items.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)),
  })
  return { ...books, page: (page) => ({ ...books.page(page), select: arrange }) }
}
