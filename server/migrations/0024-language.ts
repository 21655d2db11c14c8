import type { Migration } from './migration.ts'

/** The language that a reader has chosen; empty for their browser's. */
export const language: Migration = {
  name: 'language',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    return [`ALTER TABLE settings ADD COLUMN language ${text} DEFAULT ''`]
  },
}
