import { type UserBook } from '#shared/user-book.ts'
import { StatusIcon, statusLabel } from '#web/ui/status-badge.tsx'
import { useBookEditor } from './book-editor-host.tsx'
import { bookButtonLabel, positionText } from './book-progress.tsx'

/** Across the foot of a cover the reader has: where they are in the book. A tap edits. */
export function OwnedRibbon({ book }: { book: UserBook }) {
  const editButton = useBookEditor({ book })
  const isReading = book.status === 'reading'
  const isPart = book.status !== 'completed' && book.progress_average > 0
  return (
    <button
      type="button"
      aria-label={bookButtonLabel(book, 'edit')}
      className="relative flex min-h-10 w-full min-w-0 items-center gap-1.5 overflow-hidden rounded-b-cover border-t border-line bg-raised px-2 text-sm font-medium text-ink outline-offset-[-4px] pointer-coarse:min-h-11"
      {...editButton}
    >
      <StatusIcon status={book.status} />
      <span className="truncate tabular-nums">
        {isReading ? positionText(book) : statusLabel(book.status)}
      </span>
      {isPart ? (
        <span
          aria-hidden
          className="absolute start-0 bottom-0 h-1 bg-rubric"
          style={{ width: `${book.progress_average}%` }}
        />
      ) : null}
    </button>
  )
}
