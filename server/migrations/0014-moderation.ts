import type { Migration } from './migration.ts'

/** What readers report about each other, and profiles the operator has hidden. */
export const moderation: Migration = {
  name: 'moderation',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    return [
      `ALTER TABLE settings ADD COLUMN "isHidden" BOOLEAN NOT NULL DEFAULT FALSE`,
      // "reporter" is empty once that account is gone, "closed" while nobody has dealt with it.
      `CREATE TABLE reports (id ${text} PRIMARY KEY, reporter ${text}, reported ${text},
        reason ${text}, details ${text}, created ${text}, closed ${text} DEFAULT '')`,
      `CREATE INDEX reports_reporter ON reports (reporter, created)`,
      `CREATE INDEX reports_reported ON reports (reported)`,
      `CREATE INDEX reports_closed ON reports (closed, created)`,
    ]
  },
}
