import type { Migration } from './migration.ts'

/** The books of a status in the order they were last touched, such as those being read. */
export const readingNow: Migration = {
  name: 'reading-now',
  statements: () => [
    `CREATE INDEX user_books_user_status_updated ON user_books
      ("user", status, updated DESC, id)`,
  ],
}
