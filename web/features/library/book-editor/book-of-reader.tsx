import { Suspense, type ReactNode } from 'react'
import type { UserBook } from '#shared/user-book.ts'
import { t } from '#web/i18n/library.ts'
import { formatNumber, withCommas } from '#web/i18n/format.ts'
import { genreName } from '#web/i18n/genres.ts'
import { Dialog } from '#web/ui/dialog-sheet.tsx'
import { lazy } from '#web/ui/lazy.ts'
import type { DialogState } from '#web/ui/lazy-dialog.ts'
import { TextLink } from '#web/ui/link.tsx'
import { Rating } from '#web/ui/rating.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { BookLink } from '../book-list/book-link.tsx'
import { BookProgress } from '../reading/book-progress.tsx'
import { userBookPath } from '../book-list/user-book-path.ts'
import { UserBookCover } from '../book-list/user-book-cover.tsx'

const BookJournal = lazy(() => import('../journal/book-journal.tsx'))

/** Somebody else's book as they show it: how far they are, what they think of it and when they read it. */
export function BookOfReader({ book, open, onOpenChange }: DialogState & { book: UserBook }) {
  const isUnderWay = book.progress_average > 0 && book.status !== 'completed'
  return (
    <Dialog
      title={<bdi className="line-clamp-2 wrap-anywhere">{book.title}</bdi>}
      description={<bdi className="line-clamp-1">{withCommas(book.authors)}</bdi>}
      open={open}
      onOpenChange={onOpenChange}
    >
      <div className="grid grid-cols-1 gap-6">
        <div className="grid grid-cols-[--spacing(24)_minmax(0,1fr)] gap-5">
          {/* The link below has the name. */}
          <BookLink book={book} aria-hidden tabIndex={-1} className="self-start rounded-cover">
            <UserBookCover book={book} />
          </BookLink>
          <div className="grid content-start justify-items-start gap-3">
            <StatusBadge status={book.status} />
            <Rating value={book.rating} />
            {isUnderWay ? <BookProgress book={book} className="w-full" /> : null}
            {userBookPath(book) ? (
              <TextLink asChild className="-my-2 py-2">
                <BookLink book={book}>{t('bookPage')}</BookLink>
              </TextLink>
            ) : null}
          </div>
        </div>
        <Facts book={book} />
        <Suspense>
          <BookJournal book={book} isOwner={false} />
        </Suspense>
      </div>
    </Dialog>
  )
}

function Facts({ book }: { book: UserBook }) {
  const facts: [label: string, text: ReactNode][] = [
    [t('shelf'), book.expand?.shelf?.name],
    [t('genres'), withCommas(book.genres.map(genreName))],
    [t('totalPages'), book.page_count > 0 ? formatNumber(book.page_count) : ''],
    [t('isbn'), book.isbn],
  ]
  return (
    <dl className="border-t border-line text-sm">
      {facts.map(([label, text]) =>
        text ? (
          <div
            key={label}
            className="grid grid-cols-[7rem_minmax(0,1fr)] gap-4 border-b border-line py-2"
          >
            <dt className="text-ink-soft">{label}</dt>
            <dd dir="auto" className="text-match-parent wrap-anywhere tabular-nums">
              {text}
            </dd>
          </div>
        ) : null,
      )}
    </dl>
  )
}
