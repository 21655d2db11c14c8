import type { Migration } from './migration.ts'

/**
 * Which process works on which import, and how often that has failed; how much an import takes; and
 * a state for those that are being undone. Imports that have ended have a file until it is given
 * back.
 */
export const importWork: Migration = {
  name: 'import-work',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    const number = 'DOUBLE PRECISION NOT NULL DEFAULT 0'
    return [
      `CREATE TABLE import_work (import ${text} PRIMARY KEY, worker ${text} DEFAULT '',
        until ${number}, tries ${number}, deleted ${number})`,
      `ALTER TABLE imports ADD COLUMN stored ${number}`,
      `UPDATE imports SET state = 'undoing' WHERE state = 'undone' AND applied > 0`,
      `DROP INDEX imports_busy`,
      `CREATE INDEX imports_busy ON imports (state)
        WHERE state IN ('reading', 'applying', 'undoing')
          OR (file <> '' AND state IN ('failed', 'done', 'undone'))`,
    ]
  },
}
