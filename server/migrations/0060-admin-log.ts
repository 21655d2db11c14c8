import type { Migration } from './migration.ts'

/**
 * What administrators and the operator's commands have done. It names readers by username, so that
 * it says the same when they are gone.
 */
export const adminLog: Migration = {
  name: 'admin-log',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    return [
      `CREATE TABLE admin_log (id ${text} PRIMARY KEY, at BIGINT NOT NULL, actor ${text},
        act ${text}, subject ${text})`,
      `CREATE INDEX admin_log_at ON admin_log (at DESC, id)`,
    ]
  },
}
