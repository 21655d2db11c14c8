import type { UserBook } from '#shared/user-book.ts'
import { OffersButton } from '#web/features/catalogue/offers-button.tsx'
import { t } from '#web/i18n/books.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { BookButton } from './book-button.tsx'
import { BookTitle } from './book-title.tsx'
import { RowSkeleton } from './row-skeleton.tsx'
import { withCommas } from '#web/i18n/format.ts'
import { UserBookCover } from './user-book-cover.tsx'

const rowClass =
  'relative grid grid-cols-[--spacing(16)_minmax(0,1fr)] items-center gap-x-4 gap-y-3 border-b border-line py-4 md:grid-cols-[--spacing(16)_minmax(0,1fr)_auto] md:gap-x-6'

/** A wanted book, with places to get it. */
export function WishlistRow(props: { book: UserBook; isOwner: boolean; priority: boolean }) {
  const { book, isOwner, priority } = props
  const { title, authors } = book
  return (
    <li className={rowClass}>
      <span className="self-start">
        <UserBookCover book={book} priority={priority} />
      </span>
      <div className="grid min-w-0 gap-1">
        <h3 className="line-clamp-2 text-base leading-5 font-medium wrap-anywhere">
          <BookTitle book={book} />
        </h3>
        {authors.length > 0 ? (
          <p className="truncate text-sm text-ink-soft">
            <bdi>{withCommas(authors)}</bdi>
          </p>
        ) : null}
        <p className="text-sm wrap-anywhere text-ink-faint tabular-nums">
          {t('isbnOf', { isbn: book.isbn })}
        </p>
      </div>
      <div className="relative z-10 flex flex-wrap gap-2 max-md:col-span-2 max-md:justify-between md:justify-end">
        <OffersButton size="sm" aria-label={t('viewOffersFor', { title })} book={book} />
        {isOwner ? <BookButton book={book} /> : null}
      </div>
    </li>
  )
}

export function WishlistRowSkeleton() {
  return (
    <RowSkeleton className={rowClass}>
      <Skeleton className="h-9 w-40 max-md:col-span-2 max-md:h-11 max-md:w-full" />
    </RowSkeleton>
  )
}
