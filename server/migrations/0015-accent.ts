import type { Migration } from './migration.ts'

/** The colour a reader has chosen. */
export const accent: Migration = {
  name: 'accent',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    return [`ALTER TABLE settings ADD COLUMN accent ${text} DEFAULT ''`]
  },
}
