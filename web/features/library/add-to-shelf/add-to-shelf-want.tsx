import { Bookmark, BookmarkPlus, ChevronDown } from 'lucide-react'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { useSession } from '#web/api/session.ts'
import { t } from '#web/i18n/books.ts'
import { Button, type ButtonProps } from '#web/ui/button.tsx'
import { showError } from '#web/ui/fetch-toast.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { usePagePath } from '#web/ui/page-path.ts'
import { useSingleFlight } from '#web/ui/single-flight.ts'
import { useAddToShelf, type ShelvableBook } from './add-to-shelf-book.ts'
import { findOrCreateShelf, wantShelf, wantToReadShelf } from './add-to-shelf-first.ts'
import { useLazyDialog } from '#web/ui/lazy-dialog.ts'
import { withKnownState } from './add-to-shelf-state.tsx'
import { useAddedToast } from '../trash/undo.ts'

const loadDialog = async () => (await import('./add-to-shelf-dialog.tsx')).AddToShelfDialog

/** How long a finger rests for the other shelves; milliseconds. */
const longPress = 500

/** Adds a book that the reader doesn't have. The caret or a long press offers more. */
export function WantToReadIcons({ book }: { book: ShelvableBook }) {
  const { Dialog, round, state, button } = useLazyDialog(loadDialog)
  const { want, isPending } = useWantToRead(book)
  const press = useLongPress(button.onClick, want)
  return (
    <span className="relative z-10 -my-3 -me-2 flex shrink-0">
      <IconButton
        className="h-11! w-9! outline-offset-[-4px]"
        label={t('wantToReadNamed', { title: book.title })}
        aria-busy={isPending || undefined}
        {...press}
      >
        <BookmarkPlus aria-hidden className={isPending ? 'fill-current' : undefined} />
      </IconButton>
      <IconButton
        className="h-11! w-7! outline-offset-[-4px] [&_svg]:size-4!"
        label={t('addToAShelfNamed', { title: book.title })}
        {...button}
      >
        <ChevronDown aria-hidden />
      </IconButton>
      {Dialog ? <Dialog key={round} book={book} {...state} /> : null}
    </span>
  )
}

/** The same on the page of a book, where another button opens the shelves. */
export function WantToReadButton({
  book,
  onPress,
  ...look
}: Pick<ButtonProps, 'variant' | 'size' | 'className'> & {
  book: ShelvableBook
  onPress?: () => void
}) {
  const { want, isPending } = useWantToRead(book)
  const press = () => {
    onPress?.()
    want()
  }
  return (
    <form
      method="post"
      action={usePagePath()}
      className="contents"
      onSubmit={(event) => {
        event.preventDefault()
        press()
      }}
    >
      <Button {...look} type="submit" name="want" icon={<Bookmark />} pending={isPending}>
        {t('wantToRead')}
      </Button>
    </form>
  )
}

/** Puts a book on the shelf of wanted books, with Undo in the message. */
function useWantToRead(book: ShelvableBook) {
  const api = useApi()
  const queries = useQueryClient()
  const user = useSession()?.user.id ?? ''
  const add = useAddToShelf(book)
  const tellAdded = useAddedToast()
  const [isPending, setPending] = useState(false)

  const want = useSingleFlight(async () => {
    setPending(true)
    try {
      const shelf = await findOrCreateShelf(api, queries, user, wantShelf())
      const added = await add.mutateAsync({ shelf, status: 'planning' })
      const { title, expand } = added
      const message = t('addedToShelf', { title, shelf: expand?.shelf?.name ?? wantToReadShelf() })
      await tellAdded(withKnownState(message, added, 'planning'), [added.id])
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
