import { lazy, Suspense, type ReactNode } from 'react'
import { Link } from 'react-router'
import { bookImages, type UserBook } from '#shared/user-book.ts'
import type { BookSource } from '#web/api/library.ts'
import { CoverCard } from '#web/ui/cover-card.tsx'
import { coverColumns, coverGridClass } from '#web/ui/page-shell.tsx'
import { Rating } from '#web/ui/rating.tsx'
import { CoverCardSkeleton, Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { Spine, spineShelfClass, spineThickness } from '#web/ui/spine.tsx'
import { BookButton } from './book-button.tsx'
import { BookPages, type ItemProps } from './book-pages.tsx'
import { bookPath } from './book-path.ts'
import { SelectBox, type Selection } from './selection.tsx'
import type { ShelfView } from './shelf-view.tsx'
import { useBookEditor } from './use-book-editor.ts'

/** Fetched by those who look at shelves so; the server draws it with the page. */
const BookList = lazy(async () => ({ default: (await import('./book-list.tsx')).BookList }))

interface ShelfBooksProps {
  source: BookSource
  isOwner: boolean
  onLastRemoved?: (() => void | Promise<void>) | undefined
  /** While books are being selected. */
  selection?: Selection<UserBook> | undefined
  empty: ReactNode
}

/** The books of a shelf as its reader likes to see them. */
export function ShelfBooks({ view, ...props }: ShelfBooksProps & { view: ShelfView }) {
  if (view === 'spines') return <Spines {...props} />
  if (view === 'grid') return <Grid {...props} />
  return (
    <Suspense>
      <BookList {...props} selection={props.selection} hideShelf />
    </Suspense>
  )
}

function Grid({ source, isOwner, onLastRemoved, selection, empty }: ShelfBooksProps) {
  return (
    <BookPages
      source={source}
      empty={empty}
      skeleton={
        <SkeletonGroup
          count={12}
          of={CardSkeleton}
          label="Loading books…"
          className={coverGridClass}
        />
      }
      layout={{
        className: coverGridClass,
        columns: coverColumns,
        likelyHeight: 380,
        overscan: 2,
        placeholder: <CardSkeleton />,
      }}
    >
      {(book, item, index, total) => (
        <BookCard
          key={book.id}
          book={book}
          isOwner={isOwner}
          selection={selection}
          onLastRemoved={total === 1 ? onLastRemoved : undefined}
          priority={index < 6}
          item={item}
        />
      )}
    </BookPages>
  )
}

type OneBookProps = Pick<ShelfBooksProps, 'isOwner' | 'onLastRemoved' | 'selection'> & {
  book: UserBook
  item: ItemProps
}

function BookCard(props: OneBookProps & { priority: boolean }) {
  const { book, isOwner, selection, onLastRemoved, priority, item } = props
  return (
    <li {...item} className="relative flex min-w-0 flex-col gap-2">
      <CoverCard
        title={book.title}
        author={book.authors[0]}
        src={bookImages(book)[0]}
        priority={priority}
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
  )
}

/** A spine has no room for a button: its owner's tap opens the editor, anybody else's the book. */
function Spines({ source, isOwner, onLastRemoved, empty }: ShelfBooksProps) {
  return (
    <BookPages
      source={source}
      empty={empty}
      skeleton={
        <SkeletonGroup
          count={8}
          of={SpineSkeleton}
          label="Loading books…"
          className="flex flex-wrap items-end gap-1"
        />
      }
      layout={{
        label: 'Books on this shelf',
        className: spineShelfClass,
        likelyHeight: 244,
        overscan: 2,
        width: ({ page_count }) => spineWidth(page_count),
        placeholder: <SpineSkeleton />,
      }}
    >
      {(book, item, _index, total) => {
        const { id, title, authors, page_count } = book
        const spine = { title, author: authors[0], pages: page_count, item }
        return isOwner ? (
          <OwnSpine
            key={id}
            book={book}
            {...spine}
            onLastRemoved={total === 1 ? onLastRemoved : undefined}
          />
        ) : (
          <Spine key={id} {...spine} link={<BookLink book={book} title={title} />} />
        )
      }}
    </BookPages>
  )
}

/** Under a finger a spine is never thinner than one; pixels. */
function spineWidth(pages: number): number {
  const isCoarse = typeof window !== 'undefined' && matchMedia('(pointer: coarse)').matches
  return Math.max(isCoarse ? 44 : 0, spineThickness(pages))
}

function OwnSpine(props: {
  book: UserBook
  title: string
  author: string | undefined
  pages: number
  item: ItemProps
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
  children?: ReactNode
}) {
  const path = bookPath(book)
  if (path) return <Link to={path} prefetch="intent" {...props} />
  return <span {...props} className={props.className?.replace(/\b(hover|after):\S+/g, '')} />
}

/** The shapes of what is coming. */
function CardSkeleton() {
  return (
    <div aria-hidden className="grid gap-2">
      <CoverCardSkeleton />
      <Skeleton className="h-5 w-20" />
      <Skeleton className="h-9 w-full pointer-coarse:h-11" />
    </div>
  )
}

function SpineSkeleton() {
  return <Skeleton className="h-56 w-14" />
}
