import { sql } from 'kysely'
import { named, text } from '#records/index.ts'
import type { PageTime } from '#server/collections/connections.ts'
import { minutesByHour } from '#server/devices/page-times.ts'
import { modify, query } from '#server/storage/query.ts'
import type { Migration } from './migration.ts'

/** The hours in which a reader read, on the days that devices' statistics have logged. */
export const readingHours: Migration = {
  name: 'reading-hours',
  statements(dialect) {
    const string = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    return [`ALTER TABLE progress_log ADD COLUMN hours ${string} DEFAULT 'null'`]
  },
  async fill(tx, progress) {
    const books = await query(
      tx,
      sql`SELECT DISTINCT "user", timed_key FROM device_books WHERE timed_key <> ''`,
    )
    for (const [done, [user, key]] of books.entries()) {
      const rows = await query(
        tx,
        sql`SELECT t.times, t.time_zone FROM device_books d
          JOIN reading_times t ON t."user" = d."user" AND t.document = d.document
          WHERE d."user" = ${user} AND d.timed_key = ${key}`,
      )
      const times = named(rows, { times: listed, zone: text })
      for (const [day, hours] of minutesByHour(times))
        await modify(
          tx,
          'progress_log',
          sql`UPDATE progress_log SET hours = ${JSON.stringify(hours)}
            WHERE "user" = ${user} AND book_key = ${key} AND day = ${day}
              AND source = 'device' AND minutes > 0`,
        )
      progress(done + 1, books.length)
    }
  },
}

const listed = (value: unknown) => (JSON.parse(String(value)) ?? []) as PageTime[]
