import { isByPercent } from '#shared/reading-position.ts'
import type { UserBook } from '#shared/user-book.ts'
import { classNames } from '#web/ui/class-names.ts'
import { ProgressBar } from '#web/ui/progress-bar.tsx'

/** What is known of how far a reader is, in words. */
export function progressText(book: UserBook): string {
  const { progress, page_count, progress_percent } = book
  if (isByPercent(book)) return `${progress_percent}%`
  return page_count > 0 ? `${progress} of ${page_count} pages` : `Page ${progress}`
}

/** How far a reader is: a bar, where the length of the book is known. */
export function BookProgress({ book, className }: { book: UserBook; className?: string }) {
  if (book.page_count === 0 && !isByPercent(book))
    return (
      <span className={classNames('text-xs text-ink-soft tabular-nums', className)}>
        {progressText(book)}
      </span>
    )
  return (
    <ProgressBar
      percent={book.progress_average}
      label={`Progress of ${book.title}`}
      text={progressText(book)}
      showText
      tone={book.status === 'completed' ? 'completed' : 'rubric'}
      className={className}
    />
  )
}
