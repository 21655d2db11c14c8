import type { Migration } from './migration.ts'

/** Who else has a book, without a look at the table: similar taste asks it of every book. */
export const taste: Migration = {
  name: 'taste',
  statements: () => [
    `CREATE INDEX user_books_readers ON user_books (book_key, "user", shelf, rating)`,
  ],
}
