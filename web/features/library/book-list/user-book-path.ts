import { isbnPath, recordPath } from '#shared/book-path.ts'
import type { UserBook } from '#shared/user-book.ts'

/** @returns the address of the book's page, which is its record's without an ISBN */
export function userBookPath(
  book: Pick<UserBook, 'id' | 'title' | 'isbn' | 'expand'>,
): string | undefined {
  const username = book.expand?.user?.username
  return isbnPath(book) ?? (username && recordPath(username, book.id))
}
