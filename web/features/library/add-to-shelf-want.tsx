import { Bookmark, ChevronDown } from 'lucide-react'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useApi } from '#web/api/context.ts'
import { errorMessage, isApiError } from '#web/api/errors.ts'
import { refreshLibrary, removeBook } from '#web/api/library.ts'
import { useSession } from '#web/api/session.ts'
import { t } from '#web/i18n/books.ts'
import { Button, type ButtonProps } from '#web/ui/button.tsx'
import { fetchToast, showError } from '#web/ui/fetch-toast.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { useSingleFlight } from '#web/ui/single-flight.ts'
import { useAddToShelf, type ShelvableBook } from './add-to-shelf-book.ts'
import { findOrCreateShelf, wantToReadShelf } from './add-to-shelf-first.ts'
import { useFetchedDialog } from './fetched-dialog.ts'
import { undoOptions } from './undo.ts'

const loadDialog = async () => (await import('./add-to-shelf-dialog.tsx')).AddToShelfDialog

/** How long a finger rests for the other shelves; milliseconds. */
const longPress = 500

/** On a cover that isn't owned: one tap wants the book, the caret or a long press says more. */
export function WantToReadIcons({ book }: { book: ShelvableBook }) {
  const { Dialog, round, state, button } = useFetchedDialog(loadDialog)
  const { want, isPending } = useWantToRead(book, button.onClick)
  const press = useLongPress(button.onClick, want)
  return (
    <span className="flex gap-2">
      <IconButton
        tone="raised"
        label={t('wantToReadNamed', { title: book.title })}
        aria-busy={isPending || undefined}
        {...press}
      >
        <Bookmark aria-hidden className={isPending ? 'fill-current' : undefined} />
      </IconButton>
      <IconButton tone="raised" label={t('addToAShelfNamed', { title: book.title })} {...button}>
        <ChevronDown aria-hidden />
      </IconButton>
      {Dialog ? <Dialog key={round} book={book} {...state} /> : null}
    </span>
  )
}

/** The same on the page of a book, where another button opens the shelves. */
export function WantToReadButton({
  book,
  ...look
}: Pick<ButtonProps, 'variant' | 'size' | 'className'> & { book: ShelvableBook }) {
  const { Dialog, round, state, button } = useFetchedDialog(loadDialog)
  const { want, isPending } = useWantToRead(book, button.onClick)
  return (
    <>
      <Button {...look} icon={<Bookmark />} pending={isPending} onClick={want}>
        {t('wantToRead')}
      </Button>
      {Dialog ? <Dialog key={round} book={book} {...state} /> : null}
    </>
  )
}

/**
 * Puts a book on the shelf of what is wanted, with the way back in the message.
 *
 * @param chooseShelf opens the shelves there are, where that shelf cannot be made
 */
function useWantToRead(book: ShelvableBook, chooseShelf: () => void) {
  const api = useApi()
  const queries = useQueryClient()
  const user = useSession()?.user.id ?? ''
  const add = useAddToShelf(book)
  const [isPending, setPending] = useState(false)

  async function undo(id: string): Promise<void> {
    try {
      await removeBook(api, id)
    } catch (error) {
      showError(errorMessage(error))
    }
    refreshLibrary(queries)
  }

  async function findShelf(): Promise<string | undefined> {
    try {
      return await findOrCreateShelf(api, queries, user, wantToReadShelf())
    } catch (error) {
      if (!isApiError(error) || error.status !== 400) throw error
      // The plan has no room for another shelf: one of those there are will do.
      chooseShelf()
      ;(await fetchToast()).info(errorMessage(error))
      return undefined
    }
  }

  const want = useSingleFlight(async () => {
    setPending(true)
    try {
      const shelf = await findShelf()
      if (!shelf) return
      const { id, title, expand } = await add.mutateAsync({ shelf, status: 'planning' })
      const toast = await fetchToast()
      toast.success(
        t('addedToShelf', { title, shelf: expand?.shelf?.name ?? wantToReadShelf() }),
        undoOptions(() => void undo(id)),
      )
    } catch (error) {
      showError(errorMessage(error))
    } finally {
      setPending(false)
    }
  })
  return { want: () => void want(), isPending }
}

/** @returns what a button carries that answers a long press with one thing and a tap with another */
function useLongPress(onLong: () => void, onTap: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wasLong = useRef(false)
  const end = () => clearTimeout(timer.current)
  return {
    onPointerDown: () => {
      wasLong.current = false
      end()
      timer.current = setTimeout(() => {
        wasLong.current = true
        onLong()
      }, longPress)
    },
    onPointerUp: end,
    onPointerLeave: end,
    onPointerCancel: end,
    // A finger that rests asks for the browser's own menu, too.
    onContextMenu: (event: { preventDefault: () => void }) => event.preventDefault(),
    onClick: () => {
      if (!wasLong.current) onTap()
      wasLong.current = false
    },
  }
}
