import { useState } from 'react'
import { Link } from 'react-router'
import type { UserBook } from '#shared/user-book.ts'
import { CoverCard } from '#web/ui/cover-card.tsx'
import { coverGridClass } from '#web/ui/page-shell.tsx'
import { Rating } from '#web/ui/rating.tsx'
import { Spine, SpineShelf } from '#web/ui/spine.tsx'
import { BookButton, BookEditor } from './book-editor.tsx'
import { bookPath, BookRow } from './book-row.tsx'
import type { ShelfView } from './shelf-view.tsx'

interface ShelfBooksProps {
  books: UserBook[]
  isOwner: boolean
  onRemoved?: (() => void) | undefined
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
          onRemoved={props.onRemoved}
          priority={place < 6}
          hideShelf
        />
      ))}
    </ul>
  )
}

function Grid({ books, isOwner, onRemoved }: ShelfBooksProps) {
  return (
    <ul className={coverGridClass}>
      {books.map((book, place) => (
        <li key={book.id} className="grid">
          <CoverCard
            title={book.title}
            author={book.authors[0]}
            src={book.images[0]}
            priority={place < 6}
            link={<BookLink book={book} />}
            footer={
              <div className="flex flex-wrap items-center justify-between gap-2">
                <Rating value={book.rating} className="text-sm" />
                {isOwner ? <BookButton book={book} onRemoved={onRemoved} /> : null}
              </div>
            }
          />
        </li>
      ))}
    </ul>
  )
}

/** A spine has no room for a button: its owner's tap opens the editor, anybody else's the book. */
function Spines({ books, isOwner, onRemoved }: ShelfBooksProps) {
  const [editing, setEditing] = useState<string | null>(null)
  const book = books.find(({ id }) => id === editing)
  return (
    <>
      <SpineShelf label="Books on this shelf">
        {books.map((one) => (
          <Spine
            key={one.id}
            title={one.title}
            author={one.authors[0]}
            pages={one.page_count}
            link={
              isOwner ? (
                <button
                  type="button"
                  aria-label={`Edit ${one.title}`}
                  aria-haspopup="dialog"
                  onClick={() => setEditing(one.id)}
                />
              ) : (
                <BookLink book={one} />
              )
            }
          />
        ))}
      </SpineShelf>
      {book ? (
        <BookEditor
          book={book}
          open
          onOpenChange={(open) => (open ? null : setEditing(null))}
          onRemoved={() => {
            setEditing(null)
            onRemoved?.()
          }}
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
  className?: string
  children?: React.ReactNode
}) {
  const path = bookPath(book)
  if (path) return <Link to={path} prefetch="intent" {...props} />
  return <span className={props.className?.replace(/\bhover:\S+/g, '')}>{props.children}</span>
}
