import { isByPercent } from '#shared/reading-position.ts'
import { type UserBook } from '#shared/user-book.ts'
import { StatusIcon, statusLabel } from '#web/ui/status-badge.tsx'
import { useBookEditor } from './book-editor-host.tsx'

/** Across the foot of a cover the reader has: where they are in the book. A tap edits. */
export function OwnedRibbon({ book }: { book: UserBook }) {
  const editButton = useBookEditor({ book })
  const isReading = book.status === 'reading'
  const place = isByPercent(book) ? `${book.progress_percent}%` : `Page ${book.progress}`
  const isPart = book.status !== 'completed' && book.progress_average > 0
  return (
    <button
      type="button"
      aria-label={`${book.title}: ${statusLabel(book.status)}, ${place.toLowerCase()}. Edit`}
      className="relative flex min-h-10 w-full min-w-0 items-center gap-1.5 overflow-hidden rounded-b-cover border-t border-line bg-raised px-2 text-sm font-medium text-ink outline-offset-[-4px] pointer-coarse:min-h-11"
      {...editButton}
    >
      <StatusIcon status={book.status} />
      <span className="truncate tabular-nums">{isReading ? place : statusLabel(book.status)}</span>
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
