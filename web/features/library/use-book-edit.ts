import {
  useMutation,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
} from '@tanstack/react-query'
import type { ListResult } from 'pocketbase'
import type { UserBook } from '#shared/user-book.ts'
import { percentRead, readingPosition } from '#shared/reading-position.ts'
import { useApi } from '#web/api/context.ts'
import {
  refreshLibrary,
  removeBook,
  shelfNamesQuery,
  updateBook,
  type BookEdit,
} from '#web/api/library.ts'

type Cached = InfiniteData<ListResult<UserBook>> | ListResult<UserBook> | UserBook[]
type Shelf = NonNullable<NonNullable<UserBook['expand']>['shelf']>

/** Changes the books on every list in the cache; what the change leaves out is gone from them. */
function changeLists(queries: QueryClient, change: (books: UserBook[]) => UserBook[]): void {
  queries.setQueriesData<Cached>({ queryKey: ['books'] }, (cached) => {
    if (!cached || Array.isArray(cached)) return cached && change(cached)
    if ('items' in cached) return { ...cached, items: change(cached.items) }
    return {
      ...cached,
      pages: cached.pages.map((page) => ({ ...page, items: change(page.items) })),
    }
  })
}

function edited(book: UserBook, edit: BookEdit, shelf: Shelf | undefined): UserBook {
  // A picture on its way has no name yet.
  const { image, ...fields } = edit
  const progress_percent = edit.progress_percent ?? book.progress_percent
  const asked = { ...book, ...fields, progress_percent, ...(image === '' ? { image } : {}) }
  const next = { ...asked, ...readingPosition(book, asked) }
  return {
    ...next,
    progress_average: percentRead(next),
    expand: { ...book.expand, ...(shelf ? { shelf } : {}) },
  }
}

/** Saves an edit: shown at once, taken back if the server refuses it. */
export function useBookEdit({ id, user }: Pick<UserBook, 'id' | 'user'>) {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (edit: BookEdit & { isUndo?: boolean }) => updateBook(api, id, edit),
    onMutate: async ({ ...edit }) => {
      // No field of a book.
      delete edit.isUndo
      await queries.cancelQueries({ queryKey: ['books'] })
      const before = queries.getQueriesData<Cached>({ queryKey: ['books'] })
      const shelves = queries.getQueryData(shelfNamesQuery(api, user).queryKey)
      const shelf = shelves?.find((one) => one.id === edit.shelf)
      changeLists(queries, (books) =>
        books.map((book) => (book.id === id ? edited(book, edit, shelf) : book)),
      )
      return before
    },
    onError: (_error, _edit, before) => {
      for (const [key, cached] of before ?? []) queries.setQueryData(key, cached)
    },
    onSettled: () => refreshLibrary(queries),
  })
}

/**
 * Takes a book off its shelf.
 *
 * @param leave goes elsewhere instead of showing the list without the book
 */
export function useBookRemoval(id: string, leave?: () => void | Promise<void>) {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => removeBook(api, id),
    onSuccess: async () => {
      if (leave) {
        refreshLibrary(queries, 'none')
        await leave()
      } else changeLists(queries, (books) => books.filter((book) => book.id !== id))
      refreshLibrary(queries)
    },
  })
}
