/** @returns the address of a book's cover, '' when it has none */
export function coverOf(book: { id: string; image: string; images: readonly string[] }): string {
  if (book.image) return `/api/files/user_books/${book.id}/${book.image}`
  const [first = ''] = book.images
  return first.startsWith('http') ? first : ''
}
