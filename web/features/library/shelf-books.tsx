import { memo, Suspense, type ReactNode } from 'react'
import { lazy } from '#web/ui/lazy.ts'
import { bookImages, type UserBook } from '#shared/user-book.ts'
import type { PagedBooks } from '#web/api/library.ts'
import { useSession } from '#web/api/session.ts'
import { rich, t } from '#web/i18n/books.ts'
import { CoverCard } from '#web/ui/cover-card.tsx'
import { coverColumns, coverGridClass } from '#web/ui/page-shell.tsx'
import { Rating } from '#web/ui/rating.tsx'
import { isSameItem } from '#web/ui/same-item.ts'
import { CoverCardSkeleton, Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { shelvable } from './add-to-shelf-book.ts'
import { useOwned } from './add-to-shelf-owned.tsx'
import { OwnedRibbon } from './add-to-shelf-ribbon.tsx'
import { WantToReadIcons } from './add-to-shelf-want.tsx'
import { BookButton } from './book-button.tsx'
import { BookLink } from './book-link.tsx'
import { BookPages, type ItemProps } from './book-pages.tsx'
import { SelectBox, type Selection } from './selection.tsx'
import type { ShelfView } from './shelf-view.tsx'

/** Fetched by those who look at shelves so; the server draws them with the page. */
const BookList = lazy(async () => ({ default: (await import('./book-list.tsx')).BookList }))
const Spines = lazy(() => import('./shelf-spines.tsx'))

export interface ShelfBooksProps {
  source: PagedBooks
  isOwner: boolean
  /** While books are being selected. */
  selection?: Selection<UserBook> | undefined
  empty: ReactNode
  /** Where the books stand on several shelves, a list names them. */
  showShelf?: boolean | undefined
}

/** The books of a shelf as its reader likes to see them. */
export function ShelfBooks({ view, ...props }: ShelfBooksProps & { view: ShelfView }) {
  if (view === 'grid') return <Grid {...props} />
  return (
    <Suspense>
      {view === 'spines' ? (
        <Spines {...props} />
      ) : (
        <BookList {...props} selection={props.selection} hideShelf={!props.showShelf} />
      )}
    </Suspense>
  )
}

function Grid({ source, isOwner, selection, empty }: ShelfBooksProps) {
  return (
    <BookPages
      source={source}
      empty={empty}
      skeleton={
        <SkeletonGroup
          count={12}
          of={CardSkeleton}
          label={t('loadingBooks')}
          className={coverGridClass}
        />
      }
      layout={{
        className: coverGridClass,
        columns: coverColumns,
        estimateHeight: () => 380,
        overscan: 2,
        placeholder: <CardSkeleton />,
      }}
    >
      {(book, item, index) => (
        <BookCard
          key={book.id}
          book={book}
          isOwner={isOwner}
          selection={selection}
          priority={index < 6}
          item={item}
        />
      )}
    </BookPages>
  )
}

type OneBookProps = Pick<ShelfBooksProps, 'isOwner' | 'selection'> & {
  book: UserBook
  item: ItemProps
}

const BookCard = memo(function BookCard(props: OneBookProps & { priority: boolean }) {
  const { book, isOwner, selection, priority, item } = props
  const owned = useOwned(book)
  const canWant = Boolean(useSession()) && !isOwner && !owned
  return (
    <li {...item} className="relative flex min-w-0 flex-col gap-2">
      <CoverCard
        title={book.title}
        author={book.authors[0]}
        src={bookImages(book)[0]}
        priority={priority}
        link={<BookLink book={book} />}
        ribbon={!isOwner && owned ? <OwnedRibbon book={owned} /> : undefined}
        action={canWant ? <WantToReadIcons book={shelvable(book)} /> : undefined}
      />
      {/* At the foot of the row, however long the titles above are. */}
      <div className="mt-auto grid grid-cols-1 gap-2">
        <div className="flex flex-wrap items-center justify-between gap-x-2 text-sm">
          <Rating value={book.rating} />
          {book.status !== 'completed' && book.progress > 0 && book.page_count > 0 ? (
            <span className="text-xs text-ink-soft tabular-nums">
              {rich('percentRead', {
                percent: Math.round(book.progress_average),
                hidden: (text) => (
                  <span key="read" className="sr-only">
                    {text}
                  </span>
                ),
              })}
            </span>
          ) : null}
        </div>
        {selection ? (
          <SelectBox
            name={book.title}
            checked={selection.has(book.id)}
            onChange={() => selection.toggle(book)}
          />
        ) : (
          <BookButton book={book} wide readOnly={!isOwner} />
        )}
      </div>
    </li>
  )
}, isSameItem)

function CardSkeleton() {
  return (
    <div aria-hidden className="grid gap-2">
      <CoverCardSkeleton />
      <Skeleton className="h-5 w-20" />
      <Skeleton className="h-9 w-full pointer-coarse:h-11" />
    </div>
  )
}
