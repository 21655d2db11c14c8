import type { CSSProperties, ReactNode } from 'react'
import { Link } from 'react-router'
import type { UserBook } from '#shared/user-book.ts'
import { userBookPath } from './user-book-path.ts'

/** A link to the book's page; a book without one is named by a plain span. */
export function BookLink({
  book,
  ...props
}: {
  book: UserBook
  title?: string
  'aria-hidden'?: true
  tabIndex?: -1
  className?: string
  style?: CSSProperties
  children?: ReactNode
}) {
  const path = userBookPath(book)
  if (path) return <Link to={path} prefetch="intent" {...props} />
  return <span {...props} className={props.className?.replace(/\b(hover|after):\S+/g, '')} />
}
