import type { ReactNode } from 'react'
import { Link, useViewTransitionState } from 'react-router'
import { bookSlug, isbnOf, type Book } from '#shared/book.ts'
import { useSession } from '#web/api/session.ts'
import { AddToShelfIcon } from '#web/features/library/add-to-shelf.tsx'
import { CoverCard } from '#web/ui/cover-card.tsx'

/** Under this name a cover grows from its card into its page. */
export const coverTransition = 'book-cover'

/** @returns the address of a book's page, or undefined: without an ISBN it has none */
export function bookPath(book: Pick<Book, 'title' | 'isbns'>): string | undefined {
  return isbnOf(book) ? `/book/${bookSlug(book.title, isbnOf(book))}` : undefined
}

/** A book of the catalogue: its cover leads to its page, a reader can put it on a shelf. */
export function BookCard(props: {
  book: Book
  priority?: boolean | undefined
  /** Under the author. */
  footer?: ReactNode
}) {
  const { book, priority, footer } = props
  const path = bookPath(book)
  const isOpening = useViewTransitionState(path ?? '')
  const isReader = Boolean(useSession())
  return (
    <CoverCard
      title={book.title}
      author={book.authors.join(', ')}
      src={book.image_links}
      priority={priority}
      footer={footer}
      transitionName={path && isOpening ? coverTransition : undefined}
      link={path ? <Link to={path} prefetch="intent" viewTransition /> : <span />}
      action={isReader ? <AddToShelfIcon book={book} /> : undefined}
    />
  )
}
