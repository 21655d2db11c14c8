import { queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { Bookshelf, ShelfForm } from '#shared/bookshelf.ts'
import { keys } from './query-keys.ts'

/** One shelf with its owner. */
export function shelfQuery(api: PocketBase, id: string) {
  return queryOptions({
    queryKey: keys.shelf(id),
    queryFn: () => api.collection<Bookshelf>('bookshelves').getOne(id, { expand: 'user' }),
  })
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
