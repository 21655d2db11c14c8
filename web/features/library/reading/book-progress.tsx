import { isByPercent } from '#shared/reading-position.ts'
import type { UserBook } from '#shared/user-book.ts'
import { t } from '#web/i18n/books.ts'
import { formatPercent } from '#web/i18n/format.ts'
import { classNames } from '#web/ui/class-names.ts'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { statusLabel } from '#web/ui/status-badge.tsx'

/** @returns "Page 120" or "40%" */
export function positionText({ progress, progress_percent, ...book }: UserBook): string {
  return isByPercent({ progress_percent, ...book })
    ? formatPercent(progress_percent)
    : t('atPage', { page: progress })
}

/** @returns what the button of a book says of it, and does with it */
export function bookButtonLabel(book: UserBook, action: 'edit' | 'details'): string {
  const inPercent = isByPercent(book)
  return t('bookButton', {
    title: book.title,
    status: statusLabel(book.status),
    unit: inPercent ? 'percent' : 'page',
    number: inPercent ? book.progress_percent : book.progress,
    action,
  })
}

/** How far the reader is, in words. */
export function progressText(book: UserBook): string {
  const { progress, page_count, status } = book
  if (isByPercent(book)) return positionText(book)
  if (page_count === 0 && progress === 0 && status === 'completed') return statusLabel(status)
  if (page_count === 0) return positionText(book)
  return t('progressInPages', { page: progress, pages: page_count })
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
      label={t('progressOf', { title: book.title })}
      text={progressText(book)}
      showText
      tone={book.status === 'completed' ? 'completed' : 'rubric'}
      className={className}
    />
  )
}
