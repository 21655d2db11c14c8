import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type PocketBase from 'pocketbase'
import type { UserBookForm } from '#shared/user-book.ts'
import { changeLists, applyEdit } from '#web/api/book-lists.ts'
import { bookQuery } from '#web/api/catalogue.ts'
import { useApi } from '#web/api/context.ts'
import { refreshLibrary } from '#web/api/library.ts'
import { openOutbox, type Outbox } from '#web/api/outbox.ts'
import {
  setOutbox,
  useOutboxChanges,
  type OutboxBook,
  type OutboxChange,
} from '#web/api/outbox-changes.ts'
import { editionOf, recordOf } from '#web/features/library/add-to-shelf/add-to-shelf-book.ts'
import {
  findOrCreateShelf,
  wantShelf,
} from '#web/features/library/add-to-shelf/add-to-shelf-first.ts'
import { changeQueuedEvent } from './change-queued-event.ts'

/**
 * Keeps what a reader changes without a connection, and shows it on their lists.
 *
 * @returns the queue, once it is open; undefined in browsers that can't keep it
 */
export function useOutbox(user: string | undefined): Outbox | undefined {
  const api = useApi()
  const queries = useQueryClient()
  const outbox = useMemo(
    () =>
      user && 'indexedDB' in window && navigator.locks
        ? openOutbox({
            api,
            user,
            findBook: (change) => findBook(api, queries, change),
            onSettled: () => refreshLibrary(queries),
          })
        : undefined,
    [api, queries, user],
  )
  useEffect(() => {
    if (!outbox) return
    const end = outbox.start()
    setOutbox({
      add: async (change) => {
        try {
          await outbox.add(change)
        } catch (error) {
          // Without a database or room in it, the change fails as it does without a connection.
          console.warn(error)
          return false
        }
        window.dispatchEvent(new Event(changeQueuedEvent))
        return true
      },
    })
    return () => {
      end()
      setOutbox(undefined)
    }
  }, [outbox])
  useShown(useOutboxChanges(), queries)
  return outbox
}

/** Puts what waits over what the server said last, on every list and whenever one is read again. */
function useShown(changes: readonly OutboxChange[], queries: QueryClient): void {
  useEffect(() => {
    const edits = changes.filter((change) => change.kind === 'edit')
    if (edits.length === 0) return
    const show = () =>
      changeLists(queries, (books) =>
        books.map((book) =>
          edits.reduce(
            (next, { book: id, change }) => (id === book.id ? applyEdit(next, change) : next),
            book,
          ),
        ),
      )
    show()
    return queries.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.query.queryKey[0] !== 'books') return
      const { action } = event
      if (action.type === 'setState' || (action.type === 'success' && !action.manual)) show()
    })
  }, [changes, queries])
}

/** A scanned book, as it goes onto the shelf. */
async function findBook(
  api: PocketBase,
  queries: QueryClient,
  { isbn, shelf, user }: OutboxBook,
): Promise<UserBookForm | undefined> {
  const book = await queries.query(bookQuery(api, isbn))
  if (!book) return undefined
  return recordOf(editionOf(book, isbn), {
    shelf: shelf || (await findOrCreateShelf(api, queries, user, wantShelf())),
    status: 'planning',
  })
}
