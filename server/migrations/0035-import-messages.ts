import type { Migration } from './migration.ts'

/** The keys of the sentences about imports and their rows, for languages other than English. */
export const importMessages: Migration = {
  name: 'import-messages',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    return ['imports', 'import_rows'].map(
      (table) => `ALTER TABLE ${table} ADD COLUMN message ${text} DEFAULT 'null'`,
    )
  },
}
