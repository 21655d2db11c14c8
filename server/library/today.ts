import { sql } from 'kysely'
import type { Change, Database } from '#records/index.ts'
import { columnsOf, selectBy } from '#server/collections/select.ts'
import type { LibraryTransaction, Stored } from '#server/collections/stored.ts'
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
    sql`SELECT time_zone, day_ends FROM settings WHERE "user" = ${user}`,
    columnsOf('settings', 'time_zone', 'day_ends'),
  )
  return dayOn(toClock(rows[0]), now)
}

/** @returns the reader's clock, as the settings keep it */
export async function clockOf(tx: LibraryTransaction, user: string): Promise<ReadersClock> {
  const [settings] = await settingsOf(tx, { user })
  return toClock(settings)
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
  const [settings] = await settingsOf(tx, { user })
  const kept = toClock(settings)
  if (!isTimeZone(sent) || sent === kept.zone) return dayOn(kept, now)
  // The reader may have travelled on while the change waited.
  if (settings && !hasWaited(request)) await tx.update('settings', settings.id, { time_zone: sent })
  return dayOn({ ...kept, zone: sent }, now)
}

const toClock = (
  settings: Pick<Stored<'settings'>, 'time_zone' | 'day_ends'> | undefined,
): ReadersClock => ({ zone: settings?.time_zone ?? '', dayEnd: Number(settings?.day_ends ?? 0) })

const settingsOf = selectBy('settings', ['id', 'time_zone', 'day_ends'], ['user'])
