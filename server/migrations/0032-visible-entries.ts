import type { Migration } from './migration.ts'

/**
 * Whether others can see the book of a reading or quote, stored, so that hidden ones cost a visitor
 * nothing.
 */
export const visibleEntries: Migration = {
  name: 'visible-entries',
  statements: () => [
    ...['readings', 'quotes'].flatMap((table) => [
      `ALTER TABLE ${table} ADD COLUMN visible BOOLEAN NOT NULL DEFAULT FALSE`,
      showEntries(table),
    ]),
    `DROP INDEX readings_user_finished`,
    `CREATE INDEX readings_user_finished ON readings ("user", finished DESC, id)`,
    `CREATE INDEX readings_visible_finished ON readings ("user", visible, finished DESC, id)`,
    `CREATE INDEX readings_visible_created ON readings ("user", visible, created DESC, id)`,
    `CREATE INDEX quotes_visible_created ON quotes ("user", visible, "isPrivate", created DESC, id)`,
  ],
}

/** Shows what is about a book that others can see. All of the table's rows must be hidden. */
export function showEntries(table: string): string {
  return `UPDATE ${table} SET visible = TRUE WHERE EXISTS (SELECT 1 FROM user_books b
    JOIN bookshelves h ON h.id = b.shelf
    WHERE b."user" = ${table}."user" AND b.book_key = ${table}.book_key
      AND h.visibility = 'public' AND b."isPrivate" = FALSE)`
}
