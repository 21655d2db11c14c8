import { Link } from 'react-router'
import type { UserBook } from '#shared/user-book.ts'
import { userBookPath } from './user-book-path.ts'

/** The whole row leads to the book, except where something else does. */
export function BookTitle({ book, isOneOfMany }: { book: UserBook; isOneOfMany?: boolean }) {
  const path = userBookPath(book)
  const title = <bdi>{book.title}</bdi>
  if (!path) return title
  return (
    <Link
      to={path}
      prefetch="intent"
      // The router asks the server where links lead; the first ones of a list speak for all.
      discover={isOneOfMany ? 'none' : 'render'}
      className="after:absolute after:inset-0 hover:underline hover:decoration-line-strong hover:underline-offset-4"
    >
      {title}
    </Link>
  )
}
