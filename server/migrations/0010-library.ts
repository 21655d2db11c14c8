import type { Migration } from './migration.ts'

/** Progress by percent, and since when a reader's entries are shown on the free plan. */
export const library: Migration = {
  name: 'library',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    return [
      `ALTER TABLE user_books ADD COLUMN progress_percent DOUBLE PRECISION NOT NULL DEFAULT 0`,
      `ALTER TABLE settings ADD COLUMN activities_since ${text} DEFAULT ''`,
      `ALTER TABLE settings ADD COLUMN activities_public_since ${text} DEFAULT ''`,
      `UPDATE settings SET activities_since = COALESCE((SELECT created FROM activities a
        WHERE a."user" = settings."user" ORDER BY created DESC, id LIMIT 1 OFFSET 99), '')`,
      `UPDATE settings SET activities_public_since = COALESCE((SELECT a.created FROM activities a
        JOIN bookshelves s ON s.id = a.shelf JOIN user_books b ON b.id = a.book
        JOIN bookshelves h ON h.id = b.shelf
        WHERE a."user" = settings."user" AND a."isPrivate" = FALSE
          AND s.visibility = 'public' AND h.visibility = 'public'
        ORDER BY a.created DESC, a.id LIMIT 1 OFFSET 99), '')`,
    ]
  },
}
