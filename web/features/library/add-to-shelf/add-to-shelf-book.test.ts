import { expect, test } from 'vitest'
import type { Book } from '#shared/book.ts'
import { userBookForm } from '#shared/user-book-form.ts'
import type { Session } from '#web/api/session.ts'
import { defaultStatus, recordOf } from './add-to-shelf-book.ts'

const book: Book = {
  id: 'b1',
  ids: {},
  title: 'Frankenstein',
  authors: ['Mary Shelley', ''],
  genres: ['Gothic'],
  image_links: ['', 'https://covers.example/1.jpg', 'https://covers.example/2.jpg'],
  page_count: 336,
  isbns: { ISBN_10: '0393964582', ISBN_13: '9780393964585' },
  description: '',
  published_date: '',
  publisher: '',
  language: 'eng',
  slug: 'frankenstein-9780393964585',
}

test('a book comes to its shelf unread and unrated, with its first cover and its ISBN-13', () => {
  const record = recordOf(book, { shelf: 'shelf1', status: 'planning' })
  expect(record).toEqual({
    title: 'Frankenstein',
    authors: ['Mary Shelley'],
    genres: ['Gothic'],
    images: ['https://covers.example/1.jpg'],
    isbn: '9780393964585',
    page_count: 336,
    progress: 0,
    rating: 0,
    status: 'planning',
    shelf: 'shelf1',
  })
  expect(userBookForm.safeParse(record).success).toBe(true)
  const old = recordOf(
    { ...book, isbns: { ISBN_10: '0393964582' } },
    { shelf: 's', status: 'reading' },
  )
  expect(old.isbn).toBe('0393964582')
})

test("a new book gets the reader's own status, and reading where that is none", () => {
  const session = (status: string) => ({ settings: { default_add_status: status } }) as Session
  expect(defaultStatus(session('planning'))).toBe('planning')
  expect(defaultStatus(session(''))).toBe('reading')
  expect(defaultStatus(session('borrowed'))).toBe('reading')
  expect(defaultStatus(null)).toBe('reading')
})
