import type { Migration } from './migration.ts'

/** The scheduled backups by their folder. Times are milliseconds since 1970, or 0. */
export const backupSchedules: Migration = {
  name: 'backup-schedules',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    return [
      `CREATE TABLE backup_schedules (folder ${text} PRIMARY KEY, id ${text},
        created BIGINT NOT NULL, claimed BIGINT NOT NULL DEFAULT 0,
        attempted BIGINT NOT NULL DEFAULT 0, result ${text} DEFAULT '', failure ${text} DEFAULT '',
        name ${text} DEFAULT '', made BIGINT NOT NULL DEFAULT 0,
        missing INTEGER NOT NULL DEFAULT 0)`,
    ]
  },
}
