import { sql } from 'kysely'
import { text, type Database } from '#records/index.ts'
import { query } from '#server/storage/query.ts'
import { dayIn } from '#shared/partial-date.ts'

/** @returns the day in a reader's time zone, as `YYYY-MM-DD` */
export async function todayOf(database: Database, user: string, now: Date): Promise<string> {
  const [zone] = await query(database, sql`SELECT time_zone FROM settings WHERE "user" = ${user}`)
  return dayIn(text(zone?.[0] ?? null), now)
}
