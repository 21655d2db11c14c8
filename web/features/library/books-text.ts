/** "1 book", "1,200 books". */
export function booksText(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'book' : 'books'}`
}
