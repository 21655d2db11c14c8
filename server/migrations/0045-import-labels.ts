import type { Migration } from './migration.ts'

/** A file's own statuses, shelves, collections and tags, for its reader to say what they become. */
export const importLabels: Migration = {
  name: 'import-labels',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    return [`ALTER TABLE imports ADD COLUMN labels ${text} DEFAULT 'null'`]
  },
}
