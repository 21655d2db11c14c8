import { useMutation, useQueryClient, type MutationState } from '@tanstack/react-query'
import type { UserBook } from '#shared/user-book.ts'
import { changeLists, applyEdit, findListedBook, type EditRequest } from '#web/api/book-lists.ts'
import { useApi } from '#web/api/context.ts'
import { isNotFound, isUnanswered } from '#web/api/errors.ts'
import {
  bookEdits,
  refreshLibrary,
  removeBook,
  shelfNamesQuery,
  updateBook,
  type BookEdit,
} from '#web/api/library.ts'
import { isWaiting, loadedQueue, type ProgressFields } from '#web/api/waiting.ts'
import { t } from '#web/i18n/books.ts'
import { keys } from '#web/api/query-keys.ts'

/** As the server has it: one object for all edits that wait for each other. */
interface Known {
  saved: UserBook | undefined
}

/** The edits of one book that are on their way, and what is shown of them. */
function usePendingEdits({ id, user }: Pick<UserBook, 'id' | 'user'>) {
  const api = useApi()
  const queries = useQueryClient()
  const mutationKey = [...bookEdits, id]
  const pending = (but?: EditRequest) =>
    queries
      .getMutationCache()
      .findAll({ mutationKey, status: 'pending' })
      .map(({ state }) => state as MutationState<UserBook, Error, EditRequest, Known>)
      .filter(({ variables }) => variables !== but)
  const withEdit = (book: UserBook, edit: EditRequest | undefined) => {
    const shelves = queries.getQueryData(shelfNamesQuery(api, user).queryKey)
    return edit
      ? applyEdit(
          book,
          edit,
          shelves?.find((one) => one.id === edit.shelf),
        )
      : book
  }
  return {
    mutationKey,
    pending,
    show: (edit: EditRequest) =>
      changeLists(queries, (books) =>
        books.map((book) => (book.id === id ? withEdit(book, edit) : book)),
      ),
    /** What is saved, with the edits that are still on their way. */
    showAfter: (saved: UserBook, done: EditRequest) => {
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
    mutationFn: async (edit: EditRequest) => {
      const saved = pending().find(({ variables }) => variables === edit)?.context?.saved
      const change = saved && placeOf(edit)
      let failure: unknown
      // What follows on a change that waits has to wait, too.
      if (!change || !isWaiting(book.id)) {
        try {
          return await updateBook(api, book.id, edit)
        } catch (error) {
          if (!change || !isUnanswered(error)) throw error
          failure = error
        }
      }
      const queue = await loadedQueue()
      if (!queue) throw failure
      const names = Object.keys(change) as (keyof ProgressFields)[]
      await queue.add({
        kind: 'edit',
        user: book.user,
        book: book.id,
        title: saved.title,
        before: Object.fromEntries(names.map((name) => [name, saved[name]])),
        change,
        isUndo: edit.isUndo === true,
      })
      return applyEdit(saved, edit)
    },
    onMutate: async (edit): Promise<Known> => {
      await queries.cancelQueries({ queryKey: keys.books })
      const shown = findListedBook(queries, book.id)
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
      if (queries.isMutating({ mutationKey: bookEdits }) === 1 && !isWaiting(book.id))
        refreshLibrary(queries)
    },
  })
}

/** @returns what an edit changes, if it is something that can wait for a connection */
function placeOf({ isRemoved, ...edit }: EditRequest): ProgressFields | undefined {
  delete edit.isUndo
  return isPlace(edit) && !isRemoved ? edit : undefined
}

/** @returns whether an edit changes where the reader is in a book, and nothing else */
export function isPlace(edit: BookEdit): edit is ProgressFields {
  const names = Object.keys(edit)
  return names.length > 0 && names.every((name) => placeNames.has(name))
}

const placeNames = new Set(['status', 'progress', 'progress_percent', 'rating'])

/** @returns the sentence of a saved edit, which says so if it is saved on this device only */
export function savedMessage(book: string, sentence: string): string {
  return isWaiting(book) ? t('sentWhenOnline', { sentence }) : sentence
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
