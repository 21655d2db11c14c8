import type { Migration } from './migration.ts'

/** When each book was finished, and whether it is being read, on the book itself. */
export const finishedDays: Migration = {
  name: 'finished-days',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    const add = (column: string) => `ALTER TABLE user_books ADD COLUMN ${column}`
    return [
      add(`being_read BOOLEAN NOT NULL DEFAULT FALSE`),
      add(`finished ${text} DEFAULT ''`),
      add(`years_read ${text} DEFAULT 'null'`),
      `UPDATE user_books SET being_read = (status = 'reading'), years_read = '[]'`,
      `UPDATE user_books SET finished = days.latest, years_read = days.years
        FROM (
          SELECT "user", book_key, MAX(latest) AS latest,
            '["' || STRING_AGG(year, '","' ORDER BY year DESC) || '"]' AS years
          FROM (
            SELECT "user", book_key, SUBSTR(finished, 1, 4) AS year, MAX(finished) AS latest
            FROM readings WHERE outcome = 'finished' AND finished <> '' GROUP BY 1, 2, 3
          ) by_year
          GROUP BY 1, 2
        ) days
        WHERE days."user" = user_books."user" AND days.book_key = user_books.book_key`,
      `CREATE INDEX user_books_user_being_read
        ON user_books ("user", being_read DESC, rating DESC, id)`,
      `CREATE INDEX user_books_user_finished ON user_books ("user", finished DESC, id)`,
    ]
  },
}
