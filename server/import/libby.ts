import { splitPeople } from './people.ts'
import { emptyBook, type Format } from './row.ts'

/**
 * What a reader borrowed from libraries. Each row is something that happened to a loan, so a book has
 * several, and none tells whether it was read.
 */
export const libby: Format = {
  format: 'libby',
  has: ['title', 'author', 'timestamp', 'activity'],
  read: (row) => ({
    ...emptyBook,
    title: row.text('title'),
    authors: splitPeople(row.cell('author')),
    isbn: row.isbn('isbn'),
    added: row.date('timestamp'),
  }),
}
