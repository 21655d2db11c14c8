import type { Dialect } from '../database/database.ts'
import { textType } from '../schema/table.ts'

/**
 * The statements that create the realtime tables, for a migration to run one by one. SQLite has one
 * process and needs none.
 *
 * Both are unlogged: their content is useless after a crash of the server, as every process then
 * loses its connections.
 */
export function realtimeTables(dialect: Dialect['name']): string[] {
  if (dialect === 'sqlite') return []
  const text = `${textType(dialect)} NOT NULL`
  return [
    // Each account's subscriptions to channels (`place`) in each process, identified by its
    // listening connection.
    `CREATE UNLOGGED TABLE _audiences (process INTEGER NOT NULL, id ${text}, place ${text},
      topic ${text}, account ${text}, PRIMARY KEY (process, id))`,
    `CREATE INDEX _audiences_place ON _audiences (place)`,
    `CREATE INDEX _audiences_account ON _audiences (account)`,
    // Events too long for a notification; times are milliseconds since 1970.
    `CREATE UNLOGGED TABLE _news (id ${text} PRIMARY KEY, body ${text}, created BIGINT NOT NULL)`,
    `CREATE INDEX _news_created ON _news (created)`,
  ]
}
