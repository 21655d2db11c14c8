import type { Migration } from './migration.ts'

/** The language, the date of publication and the series that a reading takes from its book. */
export const readingEditions: Migration = {
  name: 'reading-editions',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    const columns = ['language', 'published', 'series']
    return [
      ...columns.map((column) => `ALTER TABLE readings ADD COLUMN ${column} ${text} DEFAULT ''`),
      // Statistics say so of books without one.
      `UPDATE user_books SET language = '' WHERE language = 'unknown'`,
      // From the oldest copy that others can see, so that they learn nothing of a hidden one.
      `UPDATE readings
        SET language = book.language, published = book.published, series = book.series
        FROM (
          SELECT b."user", b.book_key, b.language, b.published, b.series, ROW_NUMBER() OVER (
              PARTITION BY b."user", b.book_key
              ORDER BY CASE WHEN h.visibility = 'public' AND b."isPrivate" = FALSE THEN 0 ELSE 1 END,
                b.created, b.id) AS place
          FROM user_books b JOIN bookshelves h ON h.id = b.shelf
        ) book
        WHERE book.place = 1 AND book."user" = readings."user"
          AND book.book_key = readings.book_key`,
    ]
  },
}
