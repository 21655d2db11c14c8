import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { ListResult } from 'pocketbase'
import type { Bookshelf } from '#shared/bookshelf.ts'
import { percentRead, readingPosition } from '#shared/reading-position.ts'
import type { UserBook } from '#shared/user-book.ts'
import type { BookEdit, EditKind } from './library.ts'
import { changeCached, keys } from './query-keys.ts'
import { showRating } from './timeline.ts'

type Cached = InfiniteData<ListResult<UserBook>> | ListResult<UserBook> | UserBook[]
/** Shelves page by page, or the names of all. */
type CachedShelves =
  | InfiniteData<ListResult<Bookshelf>>
  | Pick<Bookshelf, 'id' | 'name' | 'visibility'>[]
type Shelf = NonNullable<NonNullable<UserBook['expand']>['shelf']>

/** Changes the books on every list in the cache; books that the change leaves out are removed. */
export function changeLists(queries: QueryClient, change: (books: UserBook[]) => UserBook[]): void {
  changeCached<Cached>(queries, { queryKey: keys.books }, (cached) => {
    if (!cached || Array.isArray(cached)) return cached && change(cached)
    if ('items' in cached) return { ...cached, items: change(cached.items) }
    return {
      ...cached,
      pages: cached.pages.map((page) => ({ ...page, items: change(page.items) })),
    }
  })
}

/** @returns the book as each list has it: one that was fetched earlier may have an older state */
function listedCopies(queries: QueryClient, id: string): UserBook[] {
  return queries.getQueriesData<Cached>({ queryKey: keys.books }).flatMap(([, cached]) => {
    const lists = cached && 'pages' in cached ? cached.pages : [cached ?? []]
    const books = lists.flatMap((list) => ('items' in list ? list.items : list))
    return books.find((book) => book.id === id) ?? []
  })
}

/** @returns the book on one of the lists */
export const findListedBook = (queries: QueryClient, id: string): UserBook | undefined =>
  listedCopies(queries, id)[0]

/**
 * Puts a book in place of its copies on all lists, as an event has it. A copy that was saved later
 * stays.
 *
 * @returns false if every list had the book like this, as after an edit made here
 */
export function replaceBook(queries: QueryClient, record: UserBook): boolean {
  const isNew = (book: UserBook) =>
    book.updated <= record.updated &&
    Object.entries(record).some(
      ([name, value]) => JSON.stringify(book[name as keyof UserBook]) !== JSON.stringify(value),
    )
  const copies = listedCopies(queries, record.id)
  if (copies.length > 0 && !copies.some(isNew)) return false
  changeLists(queries, (books) =>
    books.map((book) => (book.id === record.id && isNew(book) ? { ...book, ...record } : book)),
  )
  showRating(queries, record)
  return true
}

/** Puts a shelf in place of its copies, as an event has it. */
export function replaceShelf(queries: QueryClient, record: Bookshelf): void {
  const change = (shelf: Bookshelf) => (shelf.id === record.id ? { ...shelf, ...record } : shelf)
  const key = { queryKey: keys.shelf(record.id), exact: true }
  changeCached<Bookshelf>(queries, key, (shelf) => shelf && change(shelf))
  const lists = { queryKey: keys.shelvesOfReader(record.user) }
  changeCached<CachedShelves>(queries, lists, (cached) =>
    cached && 'pages' in cached
      ? {
          ...cached,
          pages: cached.pages.map((page) => ({ ...page, items: page.items.map(change) })),
        }
      : cached,
  )
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
    being_read: next.status === 'reading',
    // The edit's own is the day of a reading, which the server adds to the book's.
    finished: book.finished,
    progress_average: percentRead(next),
    expand: { ...book.expand, ...(shelf ? { shelf } : {}) },
  }
}
