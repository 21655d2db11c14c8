import type PocketBase from 'pocketbase'
import type { Bookshelf } from '#shared/bookshelf.ts'
import type { UserBook } from '#shared/user-book.ts'
import { shelvesFilter } from './library-lists.ts'

/** All of a reader's shelves that a search finds, to be changed together. */
export function fetchAllShelves(api: PocketBase, user: string, name: string): Promise<Bookshelf[]> {
  return api
    .collection<Bookshelf>('bookshelves')
    .getFullList({ filter: shelvesFilter(api, user, name), sort: '-created', batch: 500 })
}

/** The most ids that fit into a filter with other conditions. */
const maxIdsInFilter = 40

/**
 * All books a filter lets through, as far as a change of many needs them.
 *
 * @param among only of these ids
 */
export async function fetchAllBooks(
  api: PocketBase,
  filter: string,
  among?: readonly string[],
): Promise<UserBook[]> {
  if (among?.length === 0) return []
  const ids =
    among && among.length <= maxIdsInFilter
      ? ` && (${among.map((id) => api.filter('id = {:id}', { id })).join(' || ')})`
      : ''
  const books = await api.collection<UserBook>('user_books').getFullList({
    filter: filter + ids,
    sort: 'title',
    batch: 500,
    fields: 'id,title,status,shelf,progress,progress_percent,page_count,user',
  })
  const wanted = among && new Set(among)
  return wanted ? books.filter(({ id }) => wanted.has(id)) : books
}
