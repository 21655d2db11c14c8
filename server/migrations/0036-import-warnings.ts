import type { Migration } from './migration.ts'

/**
 * What of a row couldn't be read, beside the reason for its state; how often that is in a file; and
 * which rows a reader has decided, so that the next import of the file needn't ask again.
 */
export const importWarnings: Migration = {
  name: 'import-warnings',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    return [
      `ALTER TABLE imports ADD COLUMN warnings ${text} DEFAULT 'null'`,
      `ALTER TABLE imports ADD COLUMN unused ${text} DEFAULT 'null'`,
      `ALTER TABLE import_rows ADD COLUMN warnings ${text} DEFAULT 'null'`,
      `ALTER TABLE import_rows ADD COLUMN settled BOOLEAN NOT NULL DEFAULT FALSE`,
      `CREATE INDEX import_rows_settled ON import_rows (import) WHERE settled`,
    ]
  },
}
