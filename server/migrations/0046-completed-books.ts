import type { Migration } from './migration.ts'

/** Facts of a reader's books that can be looked up, and the books for which they are. */
export const completedBooks: Migration = {
  name: 'completed-books',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    const number = 'DOUBLE PRECISION NOT NULL DEFAULT 0'
    return [
      ...['language', 'published', 'series', 'series_position', 'description'].map(
        (name) => `ALTER TABLE user_books ADD COLUMN ${name} ${text} DEFAULT ''`,
      ),
      `ALTER TABLE user_books ADD COLUMN completed ${text} DEFAULT 'null'`,
      `ALTER TABLE settings ADD COLUMN complete_books ${text} DEFAULT ''`,
      `CREATE TABLE book_completions ("user" ${text}, book_key ${text}, import ${text} DEFAULT '',
        source ${text}, due ${number}, tries ${number}, PRIMARY KEY ("user", book_key))`,
      `CREATE INDEX book_completions_due ON book_completions (source, "user", due)`,
    ]
  },
}
