import {
  useMutation,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
} from '@tanstack/react-query'
import type { ListResult } from 'pocketbase'
import type { UserBook } from '#shared/user-book.ts'
import { progressPercent } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { removeBook, updateBook, type BookEdit } from '#web/api/library.ts'

type Cached = InfiniteData<ListResult<UserBook>> | UserBook[]

/** Changes one book on every list in the cache. */
function patchLists(queries: QueryClient, id: string, edit: BookEdit): void {
  queries.setQueriesData<Cached>({ queryKey: ['books'] }, (cached) => {
    if (!cached) return cached
    const patch = (book: UserBook): UserBook => (book.id === id ? edited(book, edit) : book)
    if (Array.isArray(cached)) return cached.map(patch)
    return {
      ...cached,
      pages: cached.pages.map((page) => ({ ...page, items: page.items.map(patch) })),
    }
  })
}

function edited(book: UserBook, edit: BookEdit): UserBook {
  const next = { ...book, ...edit }
  return { ...next, progress_average: progressPercent(next.progress, next.page_count) }
}

/** What of the cache a book's change makes old. */
function refresh(queries: QueryClient): void {
  for (const key of ['books', 'shelves', 'shelf', 'profile', 'activities'])
    void queries.invalidateQueries({ queryKey: [key] })
}

/** Saves an edit: shown at once, taken back if the server refuses it. */
export function useBookEdit(id: string) {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (edit: BookEdit) => updateBook(api, id, edit),
    onMutate: async (edit) => {
      await queries.cancelQueries({ queryKey: ['books'] })
      const before = queries.getQueriesData<Cached>({ queryKey: ['books'] })
      patchLists(queries, id, edit)
      return before
    },
    onError: (_error, _edit, before) => {
      for (const [key, cached] of before ?? []) queries.setQueryData(key, cached)
    },
    onSettled: () => refresh(queries),
  })
}

/** Takes a book off its shelf. */
export function useBookRemoval(id: string) {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => removeBook(api, id),
    onSuccess: () => refresh(queries),
  })
}
