import { sql } from 'kysely'
import { named, number, text, type Database } from '#records/index.ts'
import { query } from '#server/storage/query.ts'
import type { FinishedMonth } from '#shared/finished-month.ts'
import { countedReadings, toSql } from './counted-readings.ts'
import { findVisibleReader } from './profile.ts'
import { todayOf } from './today.ts'

/** How many months there are. */
const months = 12

/**
 * Counts what a reader has finished in the month of their day and the eleven before it, as the
 * statistics do: only what the viewer may see.
 *
 * @param viewer id; '' for a visitor
 * @returns the earliest month first; null if there is no such reader or the viewer can't see the
 *   profile
 */
export async function countMonths(
  database: Database,
  username: string,
  viewer: string,
  now = new Date(),
): Promise<FinishedMonth[] | null> {
  const reader = await findVisibleReader(database, username, viewer)
  if (!reader) return null
  const today = await todayOf(database, reader.id, now)
  const all = Array.from({ length: months }, (_, index) => monthAt(today, 1 + index - months))
  const counted = toSql(database.dialect, [
    ...countedReadings({})!,
    ['finished', '>=', all[0]!],
    ['finished', '<', monthAt(today, 1)],
  ])
  const isSeen = reader.id === viewer ? sql`TRUE` : sql`visible = TRUE`
  const rows = await query(
    database,
    sql`SELECT SUBSTR(finished, 1, 7), COUNT(*) FROM readings
      WHERE "user" = ${reader.id} AND ${isSeen} AND ${counted} GROUP BY 1`,
  )
  // What is known by its year alone is in none of them.
  const found = new Map(
    named(rows, { month: text, books: number }).map(({ month, books }) => [month, books]),
  )
  return all.map((month) => ({ month, books: found.get(month) ?? 0 }))
}

/** @returns the month of a day, or one so many after it, as `YYYY-MM` */
function monthAt(day: string, after: number): string {
  const [year = 0, month = 0] = day.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 + after)).toISOString().slice(0, 7)
}
