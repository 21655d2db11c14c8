import { useQueryClient } from '@tanstack/react-query'
import { isbnOf } from '#shared/book.ts'
import type { OwnBook, SuggestedBook } from '#shared/suggestion.ts'
import type { UserBook } from '#shared/user-book.ts'
import { bookQuery } from '#web/api/catalogue.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { addBook, refreshLibrary, removeBook, updateBook, type BookEdit } from '#web/api/library.ts'
import { useSession } from '#web/api/session.ts'
import { t } from '#web/i18n/library.ts'
import { toast } from '#web/ui/toast.tsx'
import { recordOf } from '../add-to-shelf/add-to-shelf-book.ts'
import {
  findOrCreateShelf,
  wantShelf,
  wantToReadShelf,
} from '../add-to-shelf/add-to-shelf-first.ts'
import { undoOptions } from '../trash/undo.ts'

/**
 * What the palette does with a book, each with the way back in its message.
 *
 * @returns calls that answer whether it was done; if not, a message has said why
 */
export function useCommands() {
  const api = useApi()
  const queries = useQueryClient()
  const user = useSession()?.user.id ?? ''

  async function attempt(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      toast.error(errorMessage(error))
      return false
    } finally {
      refreshLibrary(queries)
    }
  }

  const tell = (message: string, undo: () => Promise<unknown>) =>
    toast.success(
      message,
      undoOptions(() => void attempt(undo)),
    )

  /** As it is by now: the list that was searched may be older. */
  const edit = ({ id }: OwnBook, message: string, change: (book: UserBook) => BookEdit) =>
    attempt(async () => {
      const before = await api.collection<UserBook>('user_books').getOne(id)
      await updateBook(api, id, change(before))
      const { status, progress, progress_percent } = before
      tell(message, () => updateBook(api, id, { status, progress, progress_percent, isUndo: true }))
    })

  return {
    savePosition: (book: OwnBook, number: number, isPercent: boolean) =>
      isPercent
        ? edit(book, t('savedPercent', { percent: number, title: book.title }), () => ({
            progress_percent: number,
          }))
        : edit(book, t('savedPage', { page: number, title: book.title }), () => ({
            progress: number,
          })),
    finish: (book: OwnBook) =>
      edit(book, t('finishedNamed', { title: book.title }), ({ page_count, progress }) => ({
        status: 'completed',
        progress: page_count > 0 ? page_count : progress,
      })),
    want: (suggested: SuggestedBook) =>
      attempt(async () => {
        const book = await queries.query(bookQuery(api, isbnOf(suggested)))
        if (!book) return
        const shelfName = wantToReadShelf()
        const shelf = await findOrCreateShelf(api, queries, user, wantShelf())
        const added = await addBook(api, recordOf(book, { shelf, status: 'planning' }))
        tell(
          t('addedToShelf', { title: added.title, shelf: added.expand?.shelf?.name ?? shelfName }),
          () => removeBook(api, added.id),
        )
      }),
  }
}
