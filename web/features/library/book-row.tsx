import { memo, Suspense, type ComponentProps } from 'react'
import { lazy } from '#web/ui/lazy.ts'
import { Link } from 'react-router'
import type { RememberedBook } from '#shared/suggestion.ts'
import type { UserBook } from '#shared/user-book.ts'
import { useSession } from '#web/api/session.ts'
import { classNames } from '#web/ui/class-names.ts'
import { matchedFieldLabel } from '#web/ui/matched-field-label.ts'
import { TextLink } from '#web/ui/link.tsx'
import { Rating } from '#web/ui/rating.tsx'
import { isSameItem } from '#web/ui/same-item.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { BookButton } from './book-button.tsx'
import { BookProgress } from './book-progress.tsx'
import { BookTitle } from './book-title.tsx'
import { SelectBox, type Selection } from './selection.tsx'
import { OutboxMark } from './outbox-mark.tsx'
import { withCommas } from '#web/i18n/format.ts'
import { UserBookCover } from './user-book-cover.tsx'

/**
 * Phones stack in three rows, the smallest (and large letters) in four, what wider screens set in
 * columns of a dense row: 64 pixels high, the cover's height and a little more. The list around the
 * rows is their container: one each would have every new row styled while it is laid out.
 */
const places = {
  // Nothing frames a row: the tint of a selected one reaches out past its words.
  row: 'relative grid grid-cols-[--spacing(16)_minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 border-b border-line py-4 md:grid-cols-[--spacing(10)_minmax(0,1fr)_11rem_11rem] md:gap-x-6 md:gap-y-0 md:py-0.5 xl:grid-cols-[--spacing(10)_minmax(0,1fr)_12.5rem_15.75rem] [&_label]:after:-inset-x-3',
  cover: 'row-span-3 self-start md:row-span-2 md:self-center',
  text: 'col-span-2 grid min-w-0 gap-1 md:col-span-1 md:row-span-2 md:gap-0.5',
  progress: 'col-span-2 md:col-span-1 md:col-start-3 md:row-start-2 md:self-start',
  rating: 'col-start-2 row-start-3 md:col-start-3 md:row-start-1 md:self-end',
  button:
    'col-start-3 row-start-3 justify-self-end @max-[20rem]:col-span-2 @max-[20rem]:col-start-2 @max-[20rem]:row-start-4 md:col-start-4 md:row-span-2 md:row-start-1',
}

/** Fetched by readers who look at somebody else's books. */
const WantToReadOf = lazy(() => import('./want-to-read-of.tsx'))

/** One book in a list. Its owner gets the button that edits it, others see the same facts. */
export const BookRow = memo(function BookRow(props: {
  book: UserBook
  isOwner: boolean
  priority?: boolean | undefined
  /** Where all books stand on one shelf, its name is left out. */
  hideShelf?: boolean | undefined
  /** While books are being selected: a tick in place of the button. */
  selection?: Selection<UserBook> | undefined
  /** What it was searched by. */
  found?: RememberedBook['found'] | undefined
  /** What the list has to say about its place. */
  item?: (ComponentProps<'li'> & { 'data-index'?: number }) | undefined
}) {
  const { book, isOwner, priority, hideShelf = false, selection, found, item } = props
  const canWant = Boolean(useSession()) && !isOwner
  return (
    <li {...item} className={places.row}>
      <span className={places.cover}>
        <UserBookCover book={book} priority={priority} />
      </span>
      <div className={classNames(places.text, found && 'md:py-1.5')}>
        <h3 className="line-clamp-2 text-base text-wrap leading-5 font-medium wrap-anywhere md:line-clamp-1">
          <BookTitle book={book} isOneOfMany={!priority} />
        </h3>
        <div className="grid min-w-0 gap-1 md:flex md:gap-3">
          {book.authors.length > 0 ? (
            <p className="truncate text-sm text-ink-soft">
              <bdi>{withCommas(book.authors)}</bdi>
            </p>
          ) : null}
          {hideShelf ? null : <ShelfLink book={book} />}
          <OutboxMark book={book.id} />
        </div>
        {found?.sentence ? (
          <p className="line-clamp-3 max-w-prose text-sm wrap-anywhere">
            <span className="font-medium">{matchedFieldLabel(found.where)}</span>
            {' · '}
            <bdi>{found.sentence}</bdi>
          </p>
        ) : null}
      </div>
      <BookProgress book={book} className={places.progress} />
      <Rating value={book.rating} className={`text-sm ${places.rating}`} />
      <span className={places.button}>
        {selection ? (
          <SelectBox
            name={book.title}
            checked={selection.has(book.id)}
            onChange={() => selection.toggle(book)}
          />
        ) : (
          <span className="flex items-center justify-end gap-2">
            {canWant ? (
              <span className="relative z-10 min-w-20">
                <Suspense>
                  <WantToReadOf book={book} />
                </Suspense>
              </span>
            ) : null}
            <BookButton book={book} dense readOnly={!isOwner} />
          </span>
        )}
      </span>
    </li>
  )
}, isSameItem)

function ShelfLink({ book }: { book: UserBook }) {
  const shelf = book.expand?.shelf
  if (!shelf) return null
  return (
    <p className="flex min-w-0 text-sm">
      <TextLink asChild tone="soft">
        <Link
          to={`/shelf/${shelf.id}`}
          // A finger's height without pushing the lines apart.
          className="relative z-10 -my-2 truncate py-2"
        >
          <bdi>{shelf.name}</bdi>
        </Link>
      </TextLink>
    </p>
  )
}

export function BookRowSkeleton() {
  return (
    <div aria-hidden className={places.row}>
      <Skeleton className={`aspect-2/3 w-full ${places.cover}`} />
      <div className={places.text}>
        <Skeleton className="h-4 w-3/5" />
        <Skeleton className="h-3 w-2/5" />
      </div>
      <Skeleton className={`my-1 h-2 w-full ${places.progress}`} />
      <Skeleton className={`h-4 w-20 ${places.rating}`} />
      <Skeleton className={`h-11 w-28 md:h-9 ${places.button}`} />
    </div>
  )
}
