import type { Migration } from './migration.ts'

/** Whether a reader counts ratings out of 5 or out of 10. */
export const ratingScale: Migration = {
  name: 'rating_scale',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    return [`ALTER TABLE settings ADD COLUMN rating_scale ${text} DEFAULT ''`]
  },
}
