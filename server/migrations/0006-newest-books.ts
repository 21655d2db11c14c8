import type { Migration } from './migration.ts'

/** Every new book asks which are the newest of its shelf, whose covers the shelf shows. */
export const newestBooks: Migration = {
  name: 'newest-books',
  statements: () => [
    `CREATE INDEX user_books_shelf_created ON user_books (shelf, created DESC, id)`,
  ],
}
