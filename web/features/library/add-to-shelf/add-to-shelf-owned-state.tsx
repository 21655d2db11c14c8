import { type UserBook } from '#shared/user-book.ts'
import { StatusIcon } from '#web/ui/status-badge.tsx'
import { useBookEditor } from '../book-editor/book-editor-host.tsx'
import { bookButtonLabel } from '../reading/book-progress.tsx'
import { ScriptButton } from '#web/ui/script-button.tsx'

/** The status of a book the reader has. A tap opens the editor. */
export function OwnedState({ book }: { book: UserBook }) {
  const editButton = useBookEditor({ book })
  return (
    <ScriptButton
      aria-label={bookButtonLabel(book, 'edit')}
      title={bookButtonLabel(book, 'edit')}
      className="relative z-10 -my-3 -me-2 grid size-11 shrink-0 place-items-center rounded-md outline-offset-[-4px] hover:bg-sunken"
      {...editButton}
    >
      <StatusIcon status={book.status} className="size-5" />
    </ScriptButton>
  )
}
