import type { Migration } from './migration.ts'

/** Books by title and readers by username, by the keys of `sortKey` in shared/sort-key.ts. */
export const sortKeys: Migration = {
  name: 'sort-keys',
  statements: () => [
    `DROP INDEX user_books_shelf_title`,
    `DROP INDEX user_books_user_title`,
    `DROP INDEX users_username_id`,
    `CREATE INDEX user_books_shelf_title ON user_books (shelf, title_key, id)`,
    `CREATE INDEX user_books_user_title ON user_books ("user", title_key, id)`,
    `CREATE INDEX users_username_key ON users (username_key, id)`,
  ],
}
