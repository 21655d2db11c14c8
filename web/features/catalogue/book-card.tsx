import type { ReactNode } from 'react'
import { Link, useViewTransitionState } from 'react-router'
import { bookSlug, type Book } from '#shared/book.ts'
import { useSession } from '#web/api/session.ts'
import { AddToShelfIcon } from '#web/features/library/add-to-shelf.tsx'
import { CoverCard } from '#web/ui/cover-card.tsx'

/** Under this name a cover grows from its card into its page. */
export const coverTransition = 'book-cover'

/** @returns the address of a book's page, or undefined: without an ISBN it has none */
export function bookPath({ title, isbns }: Pick<Book, 'title' | 'isbns'>): string | undefined {
  const { ISBN_13, ISBN_10 } = isbns
  return (ISBN_13 ?? ISBN_10) ? `/book/${bookSlug(title, ISBN_13, ISBN_10)}` : undefined
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
