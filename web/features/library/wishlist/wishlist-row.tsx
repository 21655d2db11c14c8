import { useRef } from 'react'
import type { UserBook } from '#shared/user-book.ts'
import { OffersButton } from '#web/features/catalogue/offers-button.tsx'
import { t } from '#web/i18n/books.ts'
import { formatDate, withCommas } from '#web/i18n/format.ts'
import { BookStep } from '../book-list/book-state.tsx'
import { BookTitle } from '../book-list/book-title.tsx'
import { ListRow, rowTitleClass } from '../book-list/list-row.tsx'
import { UserBookCover } from '../book-list/user-book-cover.tsx'
import { WishlistMenu } from './wishlist-menu-button.tsx'

/** A wanted book: how long it is, since when it is wanted, and what can be done about it. */
export function WishlistRow(props: { book: UserBook; isOwner: boolean; priority: boolean }) {
  const { book, isOwner, priority } = props
  const { title, authors, page_count, created } = book
  const menu = useRef<HTMLButtonElement>(null)
  const facts = [
    page_count > 0 ? t('pageCount', { count: page_count }) : '',
    t('addedOn', { date: formatDate(new Date(created), { month: 'short', day: 'numeric' }) }),
  ]
  return (
    <ListRow
      isStacked
      item={{ 'data-place': book.id }}
      cover={<UserBookCover book={book} priority={priority} />}
      state={
        <p className="truncate text-xs text-ink-soft tabular-nums">
          {facts.filter(Boolean).join(' · ')}
        </p>
      }
      end={
        isOwner ? (
          <>
            <BookStep book={book} onTaken={() => menu.current?.focus()} />
            <WishlistMenu ref={menu} book={book} />
          </>
        ) : (
          <OffersButton
            size="sm"
            variant="quiet"
            aria-label={t('viewOffersFor', { title })}
            book={book}
          />
        )
      }
    >
      <h3 className={rowTitleClass}>
        <BookTitle book={book} />
      </h3>
      {authors.length > 0 ? (
        <p className="truncate text-sm text-ink-soft" title={withCommas(authors)}>
          <bdi>{withCommas(authors)}</bdi>
        </p>
      ) : null}
    </ListRow>
  )
}

/** Two beside one another on a wide screen, read across. */
export const wishlistClass = 'mt-2 grid grid-cols-1 gap-x-12 lg:grid-cols-2'
