import type { Dialect } from '../database/database.ts'
import { textType } from '../schema/table.ts'

/**
 * The statements that make the tables behind realtime, for a migration to run one by one. A SQLite
 * file has one process, which needs none.
 *
 * Both are unlogged: what they hold is of no use once the server has crashed, since every process
 * then parts with its connections.
 */
export function realtimeTables(dialect: Dialect['name']): string[] {
  if (dialect === 'sqlite') return []
  const text = `${textType(dialect)} NOT NULL`
  return [
    // Who is subscribed to which channel (`place`), in which process: the number of its listening connection.
    `CREATE UNLOGGED TABLE _audiences (process INTEGER NOT NULL, id ${text}, place ${text},
      topic ${text}, account ${text}, PRIMARY KEY (process, id))`,
    `CREATE INDEX _audiences_place ON _audiences (place)`,
    `CREATE INDEX _audiences_account ON _audiences (account)`,
    // Events too long for a notification; times are milliseconds since 1970.
    `CREATE UNLOGGED TABLE _news (id ${text} PRIMARY KEY, body ${text}, created BIGINT NOT NULL)`,
    `CREATE INDEX _news_created ON _news (created)`,
  ]
}
