import { bookSlug } from '#shared/book.ts'
import { toIsbn10, toIsbn13 } from '#shared/isbn.ts'
import type { UserBook } from '#shared/user-book.ts'

/** @returns the address of the book's page, or undefined: without an ISBN the catalogue has none */
export function userBookPath(book: Pick<UserBook, 'title' | 'isbn'>): string | undefined {
  const isbn13 = toIsbn13(book.isbn)
  if (!isbn13) return undefined
  return `/book/${bookSlug(book.title, isbn13, toIsbn10(book.isbn) ?? undefined)}`
}
