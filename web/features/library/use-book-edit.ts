import {
  useMutation,
  useQueryClient,
  type InfiniteData,
  type MutationState,
  type QueryClient,
} from '@tanstack/react-query'
import type { ListResult } from 'pocketbase'
import type { UserBook } from '#shared/user-book.ts'
import { percentRead, readingPosition } from '#shared/reading-position.ts'
import { useApi } from '#web/api/context.ts'
import { isNotFound } from '#web/api/errors.ts'
import {
  bookEdits,
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

/** @returns the book on one of the lists */
function listed(queries: QueryClient, id: string): UserBook | undefined {
  for (const [, cached] of queries.getQueriesData<Cached>({ queryKey: ['books'] })) {
    if (!cached) continue
    const lists = 'pages' in cached ? cached.pages : [cached]
    const books = lists.flatMap((list) => ('items' in list ? list.items : list))
    const found = books.find((book) => book.id === id)
    if (found) return found
  }
  return undefined
}

type Request = BookEdit & EditKind

function edited(book: UserBook, edit: Request, shelf: Shelf | undefined): UserBook {
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

/** As the server has it: one object for all edits that wait for each other. */
interface Known {
  saved: UserBook | undefined
}

/** The edits of one book that are on their way, and what is shown of them. */
function usePendingEdits({ id, user }: Pick<UserBook, 'id' | 'user'>) {
  const api = useApi()
  const queries = useQueryClient()
  const mutationKey = [...bookEdits, id]
  const pending = (but: Request) =>
    queries
      .getMutationCache()
      .findAll({ mutationKey, status: 'pending' })
      .map(({ state }) => state as MutationState<UserBook, Error, Request, Known>)
      .filter(({ variables }) => variables !== but)
  const withEdit = (book: UserBook, edit: Request | undefined) => {
    const shelves = queries.getQueryData(shelfNamesQuery(api, user).queryKey)
    return edit
      ? edited(
          book,
          edit,
          shelves?.find((one) => one.id === edit.shelf),
        )
      : book
  }
  return {
    mutationKey,
    pending,
    show: (edit: Request) =>
      changeLists(queries, (books) =>
        books.map((book) => (book.id === id ? withEdit(book, edit) : book)),
      ),
    /** What is saved, with the edits that are still on their way. */
    showAfter: (saved: UserBook, done: Request) => {
      const { expand, ...fields } = saved
      const others = pending(done).map(({ variables }) => variables)
      changeLists(queries, (books) =>
        books.map((book) =>
          book.id === id
            ? others.reduce(withEdit, { ...book, ...fields, expand: { ...book.expand, ...expand } })
            : book,
        ),
      )
    },
  }
}

/**
 * Saves edits of a book, one after the other: each is shown at once, and taken back by itself if the
 * server refuses it.
 */
export function useBookEdit(book: Pick<UserBook, 'id' | 'user'>) {
  const api = useApi()
  const queries = useQueryClient()
  const { mutationKey, pending, show, showAfter } = usePendingEdits(book)
  return useMutation({
    mutationKey,
    scope: { id: mutationKey.join(':') },
    mutationFn: (edit: Request) => updateBook(api, book.id, edit),
    onMutate: async (edit): Promise<Known> => {
      await queries.cancelQueries({ queryKey: ['books'] })
      const shown = listed(queries, book.id)
      show(edit)
      return pending(edit)[0]?.context ?? { saved: shown }
    },
    onSuccess: (saved, edit, known) => {
      known.saved = saved
      showAfter(saved, edit)
    },
    onError: (_error, edit, known) => known?.saved && showAfter(known.saved, edit),
    onSettled: () => {
      // What is fetched now would not have the edits that are on their way; the last one fetches.
      if (queries.isMutating({ mutationKey: bookEdits }) === 1) refreshLibrary(queries)
    },
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
