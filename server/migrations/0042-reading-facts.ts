import { fillColumns } from './fill-columns.ts'
import type { Migration } from './migration.ts'

/** What a reading takes from its book, which readings are re-reads, and which aren't counted. */
export const readingFacts: Migration = {
  name: 'reading-facts',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    const add = (column: string) => `ALTER TABLE readings ADD COLUMN ${column}`
    return [
      add(`title ${text} DEFAULT ''`),
      add(`authors ${text} DEFAULT 'null'`),
      add(`genres ${text} DEFAULT 'null'`),
      add(`is_reread BOOLEAN NOT NULL DEFAULT FALSE`),
      add(`uncounted BOOLEAN NOT NULL DEFAULT FALSE`),
      add(`authors_keys ${text} DEFAULT ''`),
      add(`genres_keys ${text} DEFAULT ''`),
      // From the oldest copy that others can see, so that they learn nothing of a hidden one.
      `UPDATE readings SET title = book.title, authors = book.authors, genres = book.genres
        FROM (
          SELECT b."user", b.book_key, b.title, b.authors, b.genres, ROW_NUMBER() OVER (
              PARTITION BY b."user", b.book_key
              ORDER BY CASE WHEN h.visibility = 'public' AND b."isPrivate" = FALSE THEN 0 ELSE 1 END,
                b.created, b.id) AS place
          FROM user_books b JOIN bookshelves h ON h.id = b.shelf
        ) book
        WHERE book.place = 1 AND book."user" = readings."user"
          AND book.book_key = readings.book_key`,
      `UPDATE readings SET is_reread = TRUE WHERE id IN (
        SELECT id FROM (
          SELECT id, ROW_NUMBER() OVER (PARTITION BY "user", book_key
              ORDER BY finished, created, id) AS time
          FROM readings WHERE outcome = 'finished'
        ) finishes WHERE time > 1)`,
    ]
  },
  async fill(tx, progress) {
    const [row] = await tx.query(`SELECT COUNT(*) FROM readings`)
    let done = 0
    await fillColumns(tx, 'readings', ['authors_keys', 'genres_keys'], (rows) =>
      progress((done += rows), Number(row?.[0])),
    )
  },
}
