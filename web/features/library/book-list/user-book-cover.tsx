import { bookImages, type UserBook } from '#shared/user-book.ts'
import { Cover, type CoverProps } from '#web/ui/cover.tsx'

/** The cover of a book on a shelf, next to its title. */
export function UserBookCover({
  book,
  ...look
}: Pick<CoverProps, 'priority' | 'className'> & { book: UserBook }) {
  return (
    <Cover title={book.title} author={book.authors[0]} src={bookImages(book)[0]} alt="" {...look} />
  )
}
