import type { Migration } from './migration.ts'

/** Connections to services that are asked at regular times, and the quotes that were sent to them. */
export const polledConnections: Migration = {
  name: 'polled connections',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    const string = `${text} DEFAULT ''`
    const number = 'DOUBLE PRECISION NOT NULL DEFAULT 0'
    return [
      `ALTER TABLE connections ADD COLUMN address ${string}`,
      `ALTER TABLE connections ADD COLUMN sends BOOLEAN NOT NULL DEFAULT FALSE`,
      `ALTER TABLE connections ADD COLUMN problem ${string}`,
      `ALTER TABLE connections ADD COLUMN token ${string}`,
      `ALTER TABLE connections ADD COLUMN due ${string}`,
      `ALTER TABLE connections ADD COLUMN tries ${number}`,
      `ALTER TABLE connections ADD COLUMN cursor ${text} DEFAULT 'null'`,
      // What a running server looks for, all the time.
      `CREATE INDEX connections_due ON connections (due, id) WHERE due <> ''`,
      `CREATE TABLE sent_quotes (connection ${text}, quote ${text}, PRIMARY KEY (connection, quote))`,
    ]
  },
}
