import { memo, Suspense, useRef, type ComponentProps } from 'react'
import { lazy } from '#web/ui/lazy.ts'
import { Link } from 'react-router'
import type { RememberedBook } from '#shared/suggestion.ts'
import type { UserBook } from '#shared/user-book.ts'
import { useSession } from '#web/api/session.ts'
import { matchedFieldLabel } from '#web/ui/matched-field-label.ts'
import { TextLink } from '#web/ui/link.tsx'
import { isSameItem } from '#web/ui/same-item.ts'
import { BookState, BookStep } from './book-state.tsx'
import { BookTitle } from './book-title.tsx'
import { ListRow, rowTitleClass } from './list-row.tsx'
import { SelectBox, type Selection } from '../bulk-edit/selection.tsx'
import { OutboxMark } from './outbox-mark.tsx'
import { withCommas } from '#web/i18n/format.ts'
import { UserBookCover } from './user-book-cover.tsx'

/** Fetched by readers who look at somebody else's books. */
const WantToReadOf = lazy(() => import('../add-to-shelf/want-to-read-of.tsx'))

/** One book in a list. Its owner gets the button that edits it, others see the same facts. */
export const BookRow = memo(function BookRow(props: {
  book: UserBook
  isOwner: boolean
  priority?: boolean | undefined
  /** Hides the shelf's name in a list of one shelf. */
  hideShelf?: boolean | undefined
  /** While books are being selected: a tick in place of the button. */
  selection?: Selection<UserBook> | undefined
  /** The search words that matched. */
  found?: RememberedBook['found'] | undefined
  /** The `li` attributes that tell its place in the list. */
  item?: (ComponentProps<'li'> & { 'data-index'?: number; 'data-place'?: string }) | undefined
}) {
  const { book, isOwner, priority, hideShelf = false, selection, found, item } = props
  const canWant = Boolean(useSession()) && !isOwner
  const state = useRef<HTMLButtonElement>(null)
  return (
    <ListRow
      item={item}
      cover={<UserBookCover book={book} priority={priority} />}
      state={<BookState ref={state} book={book} readOnly={!isOwner} />}
      end={
        selection ? (
          <SelectBox
            name={book.title}
            checked={selection.has(book.id)}
            onChange={() => selection.toggle(book)}
          />
        ) : canWant ? (
          <Suspense>
            <WantToReadOf book={book} />
          </Suspense>
        ) : isOwner ? (
          <BookStep book={book} onTaken={() => state.current?.focus()} />
        ) : null
      }
    >
      <h3 className={rowTitleClass}>
        <BookTitle book={book} isOneOfMany={!priority} />
      </h3>
      <div className="flex min-w-0 gap-3">
        {book.authors.length > 0 ? (
          <p className="truncate text-sm text-ink-soft" title={withCommas(book.authors)}>
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
    </ListRow>
  )
}, isSameItem)

function ShelfLink({ book }: { book: UserBook }) {
  const shelf = book.expand?.shelf
  if (!shelf) return null
  return (
    <p className="flex min-w-0 text-sm max-md:hidden">
      <TextLink asChild tone="soft">
        <Link
          to={`/shelf/${shelf.id}`}
          // A finger's height without pushing the lines apart.
          className="relative z-10 -my-2 truncate py-2"
          title={shelf.name}
        >
          <bdi>{shelf.name}</bdi>
        </Link>
      </TextLink>
    </p>
  )
}
