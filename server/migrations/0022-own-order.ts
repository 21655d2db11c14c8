import type { Migration } from './migration.ts'

/** Lists in a reader's own order, of which what was never placed comes last, newest first. */
export const ownOrder: Migration = {
  name: 'own-order',
  statements: () => [
    `CREATE INDEX user_books_user_status_position ON user_books
      ("user", status, position DESC, created DESC, id)`,
    `CREATE INDEX user_books_shelf_position ON user_books
      (shelf, position DESC, created DESC, id)`,
  ],
}
