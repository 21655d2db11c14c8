import { Link } from 'react-router'
import { bookSlug } from '#shared/book.ts'
import { toIsbn10, toIsbn13 } from '#shared/isbn.ts'
import type { UserBook } from '#shared/user-book.ts'
import { Cover } from '#web/ui/cover.tsx'
import { TextLink } from '#web/ui/link.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { Rating } from '#web/ui/rating.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { BookButton } from './book-editor.tsx'

/** @returns the address of the book's page, or undefined: without an ISBN the catalogue has none */
export function bookPath(book: Pick<UserBook, 'title' | 'isbn'>): string | undefined {
  const isbn13 = toIsbn13(book.isbn)
  if (!isbn13) return undefined
  return `/book/${bookSlug(book.title, isbn13, toIsbn10(book.isbn) ?? undefined)}`
}

/** What is known of how far a reader is, in words. */
export function progressText({ progress, page_count }: UserBook): string {
  return page_count > 0 ? `${progress} of ${page_count} pages` : `Page ${progress}`
}

/** One book in a list. Its owner gets the button that edits it, others see the same facts. */
export function BookRow(props: {
  book: UserBook
  isOwner: boolean
  priority?: boolean | undefined
  /** Where all books stand on one shelf, its name is left out. */
  hideShelf?: boolean | undefined
  onRemoved?: (() => void) | undefined
}) {
  const { book, isOwner, priority, hideShelf = false, onRemoved } = props
  const shelf = book.expand?.shelf
  return (
    <li className="flex items-center gap-4 border-b border-line py-4">
      <span className="w-14 shrink-0 md:w-16">
        <Cover
          title={book.title}
          author={book.authors[0]}
          src={book.images[0]}
          priority={priority}
          alt=""
        />
      </span>
      <div className="grid min-w-0 flex-1 gap-1">
        <h3 className="line-clamp-2 text-base leading-5 font-medium">
          <BookTitle book={book} />
        </h3>
        <p className="truncate text-sm text-ink-soft">
          <bdi>{book.authors.join(', ')}</bdi>
          {shelf && !hideShelf ? (
            <>
              {book.authors.length > 0 ? ' · ' : null}
              <TextLink asChild tone="soft">
                <Link to={`/shelf/${shelf.id}`}>
                  <bdi>{shelf.name}</bdi>
                </Link>
              </TextLink>
            </>
          ) : null}
        </p>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <ProgressBar
            percent={book.progress_average}
            label={`Progress of ${book.title}`}
            text={progressText(book)}
            showText
            tone={book.status === 'completed' ? 'completed' : 'rubric'}
            className="w-full max-w-56"
          />
          <Rating value={book.rating} className="text-sm" />
        </div>
      </div>
      {isOwner ? (
        <BookButton book={book} onRemoved={onRemoved} />
      ) : (
        <StatusBadge status={book.status} className="max-sm:hidden" />
      )}
    </li>
  )
}

function BookTitle({ book }: { book: UserBook }) {
  const path = bookPath(book)
  const title = <bdi>{book.title}</bdi>
  if (!path) return title
  return (
    <Link to={path} prefetch="intent" className="hover:underline hover:underline-offset-4">
      {title}
    </Link>
  )
}
