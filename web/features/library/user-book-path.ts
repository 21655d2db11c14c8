import { bookSlug } from '#shared/book.ts'
import { toIsbn10, toIsbn13 } from '#shared/isbn.ts'
import type { UserBook } from '#shared/user-book.ts'

/** @returns the address of the page that all readers of the book share; undefined without an ISBN */
export function isbnPath({ title, isbn }: Pick<UserBook, 'title' | 'isbn'>): string | undefined {
  const isbn13 = toIsbn13(isbn)
  return isbn13 ? `/book/${bookSlug(title, isbn13, toIsbn10(isbn) ?? undefined)}` : undefined
}

/** @returns the address of a reader's record of a book */
export const recordPath = (username: string, id: string): string => `/u/${username}/books/${id}`

/** @returns the address of the book's page, which is its record's without an ISBN */
export function userBookPath(
  book: Pick<UserBook, 'id' | 'title' | 'isbn' | 'expand'>,
): string | undefined {
  const username = book.expand?.user?.username
  return isbnPath(book) ?? (username && recordPath(username, book.id))
}
