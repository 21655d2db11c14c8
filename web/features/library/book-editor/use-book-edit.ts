import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { UserBook } from '#shared/user-book.ts'
import { changeLists, applyEdit, findListedBook, type EditRequest } from '#web/api/book-lists.ts'
import { useApi } from '#web/api/context.ts'
import { apiError, isNotFound, isNetworkError } from '#web/api/errors.ts'
import {
  bookEditKey,
  refreshLibrary,
  removeBook,
  shelfNamesQuery,
  updateBook,
  type BookEdit,
} from '#web/api/library.ts'
import { keys, refetchInvalidated } from '#web/api/query-keys.ts'
import { useOptimisticEdit } from '#web/api/optimistic-edit.ts'
import { isInOutbox, loadOutbox, momentNow, type ProgressFields } from '#web/api/outbox-changes.ts'
import { t } from '#web/i18n/books.ts'

/** Milliseconds for the answer to a change that can wait; the network of a train may swallow it. */
const patience = 10_000

/**
 * Saves edits of a book, one after the other: each is shown at once, and taken back by itself if the
 * server refuses it.
 */
export function useBookEdit({ id, user }: Pick<UserBook, 'id' | 'user'>) {
  const api = useApi()
  const queries = useQueryClient()
  const withEdit = (book: UserBook, edit: EditRequest) => {
    const shelves = queries.getQueryData(shelfNamesQuery(api, user).queryKey)
    const shelf = shelves?.find((one) => one.id === edit.shelf)
    return applyEdit(book, edit, shelf)
  }
  return useOptimisticEdit<UserBook, EditRequest>({
    mutationKey: [...bookEditKey, id],
    queryKey: keys.books,
    current: () => findListedBook(queries, id),
    async save(edit, before) {
      const change = before && progressEditOf(edit)
      const made = momentNow()
      let failure: unknown = apiError(0, {})
      // A change of a book whose earlier change waits has to wait, too.
      if (!change || !isInOutbox(id)) {
        try {
          return await updateBook(api, id, edit, change && patience)
        } catch (error) {
          if (!change || !isNetworkError(error)) throw error
          failure = error
        }
      }
      const queue = await loadOutbox()
      const names = Object.keys(change) as (keyof ProgressFields)[]
      const isKept = await queue?.add({
        kind: 'edit',
        user,
        book: id,
        title: before.title,
        before: Object.fromEntries(names.map((name) => [name, before[name]])),
        change,
        isUndo: edit.isUndo === true,
        finished: edit.finished,
        made,
      })
      if (!isKept) throw failure
      return applyEdit(before, edit)
    },
    show: (edits, saved) =>
      changeLists(queries, (books) =>
        books.map((book) => {
          if (book.id !== id) return book
          const { expand, ...fields } = saved ?? book
          const start = { ...book, ...fields, expand: { ...book.expand, ...expand } }
          return edits.reduce(withEdit, start)
        }),
      ),
    onSettled: () => {
      if (isInOutbox(id)) return
      refreshLibrary(queries, 'none')
      // A fetch now would miss edits that are still being saved, so the last one fetches.
      if (queries.isMutating({ mutationKey: bookEditKey }) === 1) void refetchInvalidated(queries)
    },
  })
}

/** @returns what an edit changes, if it is something that can wait for a connection */
function progressEditOf({ isRemoved, ...edit }: EditRequest): ProgressFields | undefined {
  delete edit.isUndo
  delete edit.finished
  return isProgressEdit(edit) && !isRemoved ? edit : undefined
}

/** @returns whether an edit changes where the reader is in a book, and nothing else */
export function isProgressEdit(edit: BookEdit): edit is ProgressFields {
  const names = Object.keys(edit)
  return names.length > 0 && names.every((name) => positionFields.has(name))
}

const positionFields = new Set(['status', 'progress', 'progress_percent', 'rating'])

/** @returns the sentence of a saved edit, which says so if it is saved on this device only */
export function savedMessage(book: string, sentence: string): string {
  return isInOutbox(book) ? t('sentWhenOnline', { sentence }) : sentence
}

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
