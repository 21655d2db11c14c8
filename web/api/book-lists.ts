import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { ListResult } from 'pocketbase'
import { percentRead, readingPosition } from '#shared/reading-position.ts'
import type { UserBook } from '#shared/user-book.ts'
import type { BookEdit, EditKind } from './library.ts'
import { keys } from './query-keys.ts'

type Cached = InfiniteData<ListResult<UserBook>> | ListResult<UserBook> | UserBook[]
type Shelf = NonNullable<NonNullable<UserBook['expand']>['shelf']>

/** Changes the books on every list in the cache; what the change leaves out is gone from them. */
export function changeLists(queries: QueryClient, change: (books: UserBook[]) => UserBook[]): void {
  queries.setQueriesData<Cached>({ queryKey: keys.books }, (cached) => {
    if (!cached || Array.isArray(cached)) return cached && change(cached)
    if ('items' in cached) return { ...cached, items: change(cached.items) }
    return {
      ...cached,
      pages: cached.pages.map((page) => ({ ...page, items: change(page.items) })),
    }
  })
}

/** @returns the book on one of the lists */
export function findListedBook(queries: QueryClient, id: string): UserBook | undefined {
  for (const [, cached] of queries.getQueriesData<Cached>({ queryKey: keys.books })) {
    if (!cached) continue
    const lists = 'pages' in cached ? cached.pages : [cached]
    const books = lists.flatMap((list) => ('items' in list ? list.items : list))
    const found = books.find((book) => book.id === id)
    if (found) return found
  }
  return undefined
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
    progress_average: percentRead(next),
    expand: { ...book.expand, ...(shelf ? { shelf } : {}) },
  }
}
