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
import { isNotFound } from '#web/api/errors.ts'
import {
  refreshLibrary,
  removeBook,
  shelfNamesQuery,
  updateBook,
  type BookEdit,
  type EditKind,
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
    mutationFn: (edit: BookEdit & EditKind) => updateBook(api, id, edit),
    onMutate: async ({ ...edit }) => {
      // No fields of a book.
      delete edit.isUndo
      delete edit.isRemoved
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

/** Goes elsewhere. */
export type Leave = () => void | Promise<void>

/** Takes a book off its shelf; told how to leave, it goes elsewhere instead of showing the list without it. */
export function useBookRemoval(id: string) {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (_leave?: Leave) => {
      try {
        await removeBook(api, id)
      } catch (error) {
        // Another tab was quicker.
        if (!isNotFound(error)) throw error
      }
    },
    onSuccess: async (_removed, leave) => {
      if (leave) {
        refreshLibrary(queries, 'none')
        await leave()
      } else changeLists(queries, (books) => books.filter((book) => book.id !== id))
      refreshLibrary(queries)
    },
  })
}
