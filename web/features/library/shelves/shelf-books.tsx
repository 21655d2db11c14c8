import { memo, Suspense, useRef, type ReactNode } from 'react'
import { lazy } from '#web/ui/lazy.ts'
import type { UserBook } from '#shared/user-book.ts'
import type { PagedBooks } from '#web/api/library-lists.ts'
import { useSession } from '#web/api/session.ts'
import { t } from '#web/i18n/books.ts'
import { CoverBar, CoverObject, Ribbon } from '#web/ui/cover-marks.tsx'
import { isSameItem } from '#web/ui/same-item.ts'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { shelvable } from '../add-to-shelf/add-to-shelf-book.ts'
import { useOwned } from '../add-to-shelf/add-to-shelf-owned.tsx'
import { OwnedState } from '../add-to-shelf/add-to-shelf-owned-state.tsx'
import { WantToReadIcons } from '../add-to-shelf/add-to-shelf-want.tsx'
import { BookLink } from '../book-list/book-link.tsx'
import { BookPages, type ItemProps } from '../book-list/book-pages.tsx'
import { BookStep, CoverState } from '../book-list/book-state.tsx'
import { SelectBox, type Selection } from '../bulk-edit/selection.tsx'
import type { ShelfView } from './shelf-view.tsx'
import { UserBookCover } from '../book-list/user-book-cover.tsx'

/** Loaded only for the list and spine views; the server renders them with the page. */
const BookList = lazy(async () => ({
  default: (await import('../book-list/book-list.tsx')).BookList,
}))
const Spines = lazy(() => import('./shelf-spines.tsx'))

export interface ShelfBooksProps {
  source: PagedBooks
  isOwner: boolean
  /** While books are being selected. */
  selection?: Selection<UserBook> | undefined
  empty: ReactNode
  /** Names each book's shelf, for lists of several shelves. */
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

/** Covers stand three to a row on a phone, seven beside the side of a wide screen. */
const gridClass =
  'grid grid-cols-3 gap-x-[11px] gap-y-4 sm:grid-cols-5 md:gap-x-6 md:gap-y-6 lg:grid-cols-6 xl:grid-cols-7'

/** @returns how many columns the grid has in a window of this width, in pixels */
function gridColumns(width: number): number {
  if (width >= 1280) return 7
  if (width >= 1024) return 6
  return width > 640 ? 5 : 3
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
          className={gridClass}
        />
      }
      layout={{
        className: gridClass,
        columns: gridColumns,
        estimateHeight: (width) => (width > 768 ? 260 : 232),
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
          priority={index < 7}
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
  const state = useRef<HTMLButtonElement>(null)
  const { title, authors, status, progress_average } = book
  const isUnderWay = status !== 'completed' && progress_average > 0
  const known = isOwner ? book : owned
  return (
    <li {...item} className="min-w-0">
      <article className="group/card relative flex flex-col">
        <CoverObject>
          <UserBookCover book={book} priority={priority} />
          {known && !(isOwner && status === 'completed') ? <Ribbon status={known.status} /> : null}
        </CoverObject>
        <CoverBar percent={isUnderWay ? progress_average : 0} status={status} />
        <div className="mt-1 flex h-5 items-center gap-1">
          {selection ? (
            <span className="-my-3 -ms-2.5">
              <SelectBox
                name={title}
                checked={selection.has(book.id)}
                onChange={() => selection.toggle(book)}
              />
            </span>
          ) : (
            <>
              <CoverState ref={state} book={book} readOnly={!isOwner} />
              {isOwner ? (
                <BookStep narrow book={book} onTaken={() => state.current?.focus()} />
              ) : null}
            </>
          )}
        </div>
        <h3 className="mt-0.5 line-clamp-1 font-sans text-xs leading-4 font-normal tracking-normal text-ink-soft hyphens-auto wrap-anywhere md:line-clamp-2 md:font-serif md:text-sm md:leading-[1.125rem] md:text-ink">
          <BookLink
            book={book}
            className="after:absolute after:inset-0 hover:underline hover:decoration-line-strong hover:underline-offset-4"
          >
            <bdi>{title}</bdi>
          </BookLink>
        </h3>
        {isOwner ? null : (
          <div className="flex min-h-5 items-center gap-1">
            <p className="min-w-0 flex-1 truncate text-xs text-ink-soft" title={authors[0]}>
              <bdi>{authors[0]}</bdi>
            </p>
            {owned ? <OwnedState book={owned} /> : null}
            {canWant ? <WantToReadIcons book={shelvable(book)} /> : null}
          </div>
        )}
      </article>
    </li>
  )
}, isSameItem)

function CardSkeleton() {
  return (
    <div aria-hidden>
      <Skeleton className="aspect-2/3 w-full" />
      <Skeleton className="mt-3 h-3 w-20 max-w-full" />
      <Skeleton className="mt-2 h-3 w-full" />
    </div>
  )
}
