import type { Migration } from './migration.ts'

/** What devices sign in with, and the books they read. */
export const connections: Migration = {
  name: 'connections',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    const string = `${text} DEFAULT ''`
    const json = `${text} DEFAULT 'null'`
    const bool = 'BOOLEAN NOT NULL DEFAULT FALSE'
    return [
      `CREATE TABLE connections (id ${text} PRIMARY KEY, "user" ${string}, kind ${string},
        name ${string}, username ${string}, secret ${string}, last_used ${string}, paused ${bool},
        created ${string})`,
      `CREATE UNIQUE INDEX connections_username_unique ON connections (username)
        WHERE username <> ''`,
      `CREATE INDEX connections_user ON connections ("user", created, id)`,
      `CREATE TABLE device_books (id ${text} PRIMARY KEY, "user" ${string}, connection ${string},
        document ${string}, title ${string}, authors ${json}, filename ${string}, device ${string},
        device_id ${string}, percentage DOUBLE PRECISION NOT NULL DEFAULT 0, progress ${string},
        pushed ${string}, book_key ${string}, proposal ${string}, ignored ${bool}, pushes ${json},
        effect ${json}, pending ${bool})`,
      `CREATE UNIQUE INDEX device_books_user_document_unique ON device_books ("user", document)`,
      `CREATE INDEX device_books_user_pushed ON device_books ("user", pushed DESC, id)`,
      `CREATE INDEX device_books_connection ON device_books (connection)`,
      // What a running server looks for, all the time: hardly ever any.
      `CREATE INDEX device_books_pending ON device_books (id) WHERE pending`,
    ]
  },
}
