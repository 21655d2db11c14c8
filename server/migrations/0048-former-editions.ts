import type { Migration } from './migration.ts'

/** The editions that readers have exchanged for others, by which imports still know their books. */
export const formerEditions: Migration = {
  name: 'former-editions',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    return [`ALTER TABLE user_books ADD COLUMN former_editions ${text} DEFAULT 'null'`]
  },
}
