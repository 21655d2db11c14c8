import { bookKey } from '#shared/user-book.ts'
import type { Values } from './life.ts'

/** @returns the key of a book of an export as `user_books` has it, even for invalid values */
export function bookKeyOf({ isbn, title, authors }: Values<'isbn' | 'title' | 'authors'>): string {
  return bookKey({
    isbn: typeof isbn === 'string' ? isbn : '',
    title: typeof title === 'string' ? title.trim() : '',
    authors: Array.isArray(authors) ? authors.map(String) : [],
  })
}
