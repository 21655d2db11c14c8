import type { ReactNode } from 'react'
import { Link, useMatch, useViewTransitionState } from 'react-router'
import { bookSlug, isbnOf, type Book } from '#shared/book.ts'
import { useSession } from '#web/api/session.ts'
import { useOwned } from '#web/features/library/add-to-shelf/add-to-shelf-owned.tsx'
import { OwnedState } from '#web/features/library/add-to-shelf/add-to-shelf-owned-state.tsx'
import { WantToReadIcons } from '#web/features/library/add-to-shelf/add-to-shelf-want.tsx'
import { CoverCard } from '#web/ui/cover-card.tsx'
import { withCommas } from '#web/i18n/format.ts'

/** Under this name a cover grows from its card into its page. */
export const coverTransition = 'book-cover'

/** @returns the address of a book's page, or undefined: without an ISBN it has none */
export function bookPath(book: Pick<Book, 'title' | 'isbns'>): string | undefined {
  return isbnOf(book) ? `/book/${bookSlug(book.title, isbnOf(book))}` : undefined
}

/** A book of the catalogue: its cover leads to its page; a reader wants it, or sees that they have it. */
export function BookCard(props: {
  book: Book
  priority?: boolean | undefined
  /** Whether the reader lacks it in a series of theirs; its place on the shelf is drawn. */
  isMissing?: boolean
  /** Under the author. */
  footer?: ReactNode
}) {
  const { book, priority, isMissing, footer } = props
  const path = bookPath(book)
  // The page of a book has a cover that grows already.
  const isOnPage = useMatch('/book/*') !== null
  const isOpening = useViewTransitionState(path ?? '') && !isOnPage
  const isReader = Boolean(useSession())
  const owned = useOwned({ ...book, isbn: isbnOf(book) })
  return (
    <CoverCard
      title={book.title}
      author={withCommas(book.authors)}
      src={book.image_links}
      priority={priority}
      footer={footer}
      isMissing={isMissing}
      transitionName={path && isOpening ? coverTransition : undefined}
      link={path ? <Link to={path} prefetch="intent" viewTransition /> : <span />}
      status={owned?.status}
      action={
        owned ? <OwnedState book={owned} /> : isReader ? <WantToReadIcons book={book} /> : undefined
      }
    />
  )
}
