import type { Migration } from './migration.ts'

/** What a reader's devices have marked in documents. */
export const deviceQuotes: Migration = {
  name: 'device quotes',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    const string = `${text} DEFAULT ''`
    const json = `${text} DEFAULT 'null'`
    return [
      `CREATE TABLE device_quotes (id ${text} PRIMARY KEY, "user" ${string}, document ${string},
        quotes ${json}, book_key ${string}, effect ${json},
        held BOOLEAN NOT NULL DEFAULT FALSE)`,
      `CREATE UNIQUE INDEX device_quotes_user_document_unique ON device_quotes ("user", document)`,
    ]
  },
}
