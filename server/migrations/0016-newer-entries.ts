import type { Migration } from './migration.ts'

/** How many entries are newer than those that the free plan begins with. */
export const newerEntries: Migration = {
  name: 'newer-entries',
  statements: () => [
    `ALTER TABLE settings ADD COLUMN activities_newer DOUBLE PRECISION NOT NULL DEFAULT 0`,
    `ALTER TABLE settings ADD COLUMN activities_public_newer DOUBLE PRECISION NOT NULL DEFAULT 0`,
    `UPDATE settings SET activities_newer = (SELECT COUNT(*) FROM activities a
      WHERE a."user" = settings."user" AND a.created > activities_since)`,
    `UPDATE settings SET activities_public_newer = (SELECT COUNT(*) FROM activities a
      JOIN bookshelves s ON s.id = a.shelf JOIN user_books b ON b.id = a.book
      JOIN bookshelves h ON h.id = b.shelf
      WHERE a."user" = settings."user" AND a.created > activities_public_since
        AND a."isPrivate" = FALSE AND s.visibility = 'public' AND h.visibility = 'public')`,
  ],
}
