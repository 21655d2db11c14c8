import { Link } from 'react-router'
import { bookImages, type UserBook } from '#shared/user-book.ts'
import { CoverCard } from '#web/ui/cover-card.tsx'
import { coverGridClass } from '#web/ui/page-shell.tsx'
import { Rating } from '#web/ui/rating.tsx'
import { CoverCardSkeleton, Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { Spine, SpineShelf } from '#web/ui/spine.tsx'
import { BookButton } from './book-button.tsx'
import { bookPath, BookRow, BookRowSkeleton } from './book-row.tsx'
import { SelectBox, type Selection } from './selection.tsx'
import type { ShelfView } from './shelf-view.tsx'
import { useBookEditor } from './use-book-editor.ts'

interface ShelfBooksProps {
  books: UserBook[]
  isOwner: boolean
  onLastRemoved?: (() => void | Promise<void>) | undefined
  /** While books are being selected. */
  selection?: Selection<UserBook> | undefined
}

/** The books of a shelf as its reader likes to see them. */
export function ShelfBooks({ view, ...props }: ShelfBooksProps & { view: ShelfView }) {
  if (view === 'spines') return <Spines {...props} />
  if (view === 'grid') return <Grid {...props} />
  return (
    <ul className="border-t border-line">
      {props.books.map((book, place) => (
        <BookRow
          key={book.id}
          book={book}
          isOwner={props.isOwner}
          onLastRemoved={props.onLastRemoved}
          selection={props.selection}
          priority={place < 6}
          hideShelf
        />
      ))}
    </ul>
  )
}

function Grid({ books, isOwner, onLastRemoved, selection }: ShelfBooksProps) {
  return (
    <ul className={coverGridClass}>
      {books.map((book, place) => (
        <li key={book.id} className="relative flex min-w-0 flex-col gap-2">
          <CoverCard
            title={book.title}
            author={book.authors[0]}
            src={bookImages(book)[0]}
            priority={place < 6}
            link={<BookLink book={book} />}
          />
          {/* At the foot of the row, however long the titles above are. */}
          <div className="mt-auto grid grid-cols-[minmax(0,1fr)] gap-2">
            <div className="flex items-center justify-between gap-2 text-sm">
              <Rating value={book.rating} />
              {book.progress > 0 && book.page_count > 0 ? (
                <span className="text-xs text-ink-soft tabular-nums">
                  {Math.round(book.progress_average)}%
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
              <BookButton book={book} wide readOnly={!isOwner} onLastRemoved={onLastRemoved} />
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}

/** A spine has no room for a button: its owner's tap opens the editor, anybody else's the book. */
function Spines({ books, isOwner, onLastRemoved }: ShelfBooksProps) {
  return (
    <SpineShelf label="Books on this shelf">
      {books.map((book) => {
        const { id, title, authors, page_count } = book
        const spine = { title, author: authors[0], pages: page_count }
        return isOwner ? (
          <OwnSpine key={id} book={book} {...spine} onLastRemoved={onLastRemoved} />
        ) : (
          <Spine key={id} {...spine} link={<BookLink book={book} title={title} />} />
        )
      })}
    </SpineShelf>
  )
}

function OwnSpine(props: {
  book: UserBook
  title: string
  author: string | undefined
  pages: number
  onLastRemoved: ShelfBooksProps['onLastRemoved']
}) {
  const { book, onLastRemoved, ...spine } = props
  const editor = useBookEditor()
  return (
    <>
      <Spine {...spine} link={<button type="button" title={spine.title} {...editor.button} />} />
      {editor.Dialog ? (
        <editor.Dialog
          key={editor.round}
          book={book}
          onLastRemoved={onLastRemoved}
          {...editor.state}
        />
      ) : null}
    </>
  )
}

/** A link to the book's page; a book without one is named by a plain span. */
function BookLink({
  book,
  ...props
}: {
  book: UserBook
  title?: string
  className?: string
  style?: React.CSSProperties
  children?: React.ReactNode
}) {
  const path = bookPath(book)
  if (path) return <Link to={path} prefetch="intent" {...props} />
  return <span {...props} className={props.className?.replace(/\b(hover|after):\S+/g, '')} />
}

/** The shape of what is coming, as the reader likes to see it. */
export function ShelfBooksSkeleton({ view }: { view: ShelfView }) {
  const label = 'Loading books…'
  if (view === 'grid')
    return (
      <SkeletonGroup count={12} of={CoverCardSkeleton} label={label} className={coverGridClass} />
    )
  if (view === 'list') return <SkeletonGroup count={6} of={BookRowSkeleton} label={label} />
  return (
    <SkeletonGroup
      count={8}
      of={SpineSkeleton}
      label={label}
      className="flex flex-wrap items-end gap-1"
    />
  )
}

function SpineSkeleton() {
  return <Skeleton className="h-56 w-11" />
}
