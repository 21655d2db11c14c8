import { bookImages } from '#shared/user-book.ts'

/** @returns the address of a book's cover, '' when it has none */
export function coverOf(book: { id: string; image: string; images: readonly string[] }): string {
  return bookImages(book)[0] ?? ''
}
