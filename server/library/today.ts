import { sql } from 'kysely'
import { type Change, named, number, prepared, text, type Database } from '#records/index.ts'
import type { LibraryTransaction } from '#server/collections/stored.ts'
import { query } from '#server/storage/query.ts'
import { dayIn, isTimeZone } from '#shared/partial-date.ts'
import { hasWaited } from './moment.ts'

/** What says which day it is for a reader. */
export interface ReadersClock {
  /** An IANA name; '' if it isn't known. */
  zone: string
  /** The hour at which a day ends; midnight if absent. */
  dayEnd?: number
}

/** @returns the reader's day, as `YYYY-MM-DD` */
export async function todayOf(database: Database, user: string, now: Date): Promise<string> {
  const rows = await query(
    database,
    sql`SELECT ${clockColumns} FROM settings WHERE "user" = ${user}`,
  )
  return dayOn(toClock(rows), now)
}

/** @returns the reader's clock, as the settings keep it */
export async function clockOf(tx: LibraryTransaction, user: string): Promise<ReadersClock> {
  return toClock(await settingsOf(tx, { user }))
}

/** @returns the day of a moment by a reader's clock, as `YYYY-MM-DD` */
export const dayOn = ({ zone, dayEnd }: ReadersClock, moment: Date): string =>
  dayIn(zone, moment, dayEnd)

/**
 * The reader's day of a change. A zone sent by the browser, in the header `X-Time-Zone` or the
 * query's `time_zone`, is stored.
 *
 * @returns `YYYY-MM-DD`
 */
export async function readersDay(
  tx: LibraryTransaction,
  user: string,
  request: Change['request'],
  now: Date,
): Promise<string> {
  const sent = request?.query['time_zone'] ?? request?.headers['x_time_zone'] ?? ''
  const rows = await settingsOf(tx, { user })
  const kept = toClock(rows)
  if (!isTimeZone(sent) || sent === kept.zone) return dayOn(kept, now)
  const [settings] = named(rows, columns)
  // The reader may have travelled on while the change waited.
  if (settings && !hasWaited(request)) await tx.update('settings', settings.id, { time_zone: sent })
  return dayOn({ ...kept, zone: sent }, now)
}

const columns = { zone: text, dayEnd: number, id: text }
const clockColumns = sql`time_zone, day_ends, id`

function toClock(rows: Parameters<typeof named>[0]): ReadersClock {
  const [{ zone, dayEnd } = { zone: '', dayEnd: 0 }] = named(rows, columns)
  return { zone, dayEnd }
}

const settingsOf = prepared<{ user: string }>(
  (value) => sql`SELECT ${clockColumns} FROM settings WHERE "user" = ${value('user')}`,
)
