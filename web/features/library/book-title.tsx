import { Link } from 'react-router'
import type { UserBook } from '#shared/user-book.ts'
import { bookPath } from './book-path.ts'

/** The whole row leads to the book, except where something else does. */
export function BookTitle({ book }: { book: UserBook }) {
  const path = bookPath(book)
  const title = <bdi>{book.title}</bdi>
  if (!path) return title
  return (
    <Link
      to={path}
      prefetch="intent"
      className="after:absolute after:inset-0 hover:underline hover:decoration-line-strong hover:underline-offset-4"
    >
      {title}
    </Link>
  )
}
