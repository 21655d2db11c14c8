import { bookSlug } from './book.ts'
import { toIsbn10, toIsbn13 } from './isbn.ts'

/** @returns the address of the page that all readers of a book share; undefined without an ISBN */
export function isbnPath({ title, isbn }: { title: string; isbn: string }): string | undefined {
  const isbn13 = toIsbn13(isbn)
  return isbn13 ? `/book/${bookSlug(title, isbn13, toIsbn10(isbn) ?? undefined)}` : undefined
}

/** @returns the address of a reader's record of a book */
export const recordPath = (username: string, id: string): string => `/u/${username}/books/${id}`

/** @returns the address of the book of a reading; undefined if its last copy was removed */
export function readBookPath(
  username: string,
  book: { id: string; title: string; isbn: string },
): string | undefined {
  return isbnPath(book) ?? (book.id ? recordPath(username, book.id) : undefined)
}
