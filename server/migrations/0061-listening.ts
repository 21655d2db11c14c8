import type { Migration } from './migration.ts'

/** What readers have listened to, and when they finished it. */
export const listening: Migration = {
  name: 'listening',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    const string = `${text} DEFAULT ''`
    const number = 'DOUBLE PRECISION NOT NULL DEFAULT 0'
    return [
      `ALTER TABLE device_books ADD COLUMN finishes ${text} DEFAULT 'null'`,
      `ALTER TABLE device_books ADD COLUMN seen ${number}`,
      `CREATE TABLE listening_sessions (id ${text} PRIMARY KEY, "user" ${string},
        document ${string}, session ${string}, started ${string}, time_zone ${string},
        seconds ${number}, "from" ${number}, "to" ${number}, length ${number})`,
      `CREATE UNIQUE INDEX listening_sessions_user_document_session_unique
        ON listening_sessions ("user", document, session)`,
    ]
  },
}
