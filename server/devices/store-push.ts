import { sql } from 'kysely'
import { formatDate, isLongAgo, named, number, prepared, timeOf } from '#records/index.ts'
import { lockReader } from '#server/collections/locks.ts'
import { readersDay } from '#server/library/today.ts'
import type { LibraryRecords, LibraryTransaction } from '#server/collections/stored.ts'
import { selectBy } from '#server/collections/select.ts'
import { maxDeviceBooks, type DeviceBook } from '#shared/connection.ts'
import { recentPushes, withPush } from './pushes.ts'

/** Where a device is in a document. */
export interface DevicePosition extends Pick<
  DeviceBook,
  'document' | 'title' | 'filename' | 'device' | 'percentage'
> {
  authors: string[]
  device_id: string
  /** A place that only the device understands. */
  progress: string
}

/** Milliseconds between updates of a connection's last use. */
const touchEvery = 60_000

/**
 * Stores what a device sent, for a job to apply. The last push counts, as devices ask for it, even
 * if it is behind another device's.
 *
 * @returns why it isn't stored: the reader has too many documents for a new one, or has just revoked
 *   the connection
 */
export async function storePush(
  records: Pick<LibraryRecords, 'write'>,
  connection: { id: string; user: string },
  { title, authors, filename, ...position }: DevicePosition,
  now: Date,
): Promise<'full' | 'unauthorized' | null> {
  const { user, id } = connection
  return records.write(async (tx) => {
    await lockReader(tx, user)
    if (!(await touch(tx, id, now))) return 'unauthorized'
    const key = { user, document: position.document }
    const [found] = await ofDocument(tx, key)
    const known = found && (await tx.find('device_books', found.id))
    const at = now.toISOString()
    // Where statistics say that the device is was never applied.
    const previous = percentIn(known?.progress ? known.percentage : 0)
    const percent = percentIn(position.percentage)
    const day = await readersDay(tx, user, null, now)
    const stored = recentPushes(known?.pushes ?? null, now)
    const pushes = withPush(stored, previous, { day, at, percent })
    const values = {
      ...position,
      connection: id,
      pushed: at.replace('T', ' '),
      pushes: [...pushes],
      pending:
        pushes !== stored || (title !== '' && title !== known?.title) || known?.pending === true,
      // Only some devices send these.
      ...(title && { title, authors }),
      ...(filename && { filename }),
    }
    if (known) await tx.update('device_books', known.id, values)
    else if (await isFull(tx, user)) return 'full'
    else await tx.create('device_books', { user, ...values })
    return null
  })
}

/** @returns a share as percent with two decimals, as books have it */
const percentIn = (share: number) => Math.round(share * 10_000) / 100

const ofDocument = selectBy('device_books', ['id'], ['user', 'document'])

/** @returns whether no more of a reader's documents are remembered */
export async function isFull(tx: LibraryTransaction, user: string): Promise<boolean> {
  const [counted] = named(await countOf(tx, { user }), { documents: number })
  return counted!.documents >= maxDeviceBooks
}

const countOf = prepared<{ user: unknown }>(
  (value) => sql`SELECT COUNT(*) FROM device_books WHERE "user" = ${value('user')}`,
)

/** Notes that a connection is in use. @returns whether it still is there */
export async function touch(tx: LibraryTransaction, id: string, now: Date): Promise<boolean> {
  const connection = await tx.find('connections', id)
  if (!connection) return false
  const used = timeOf(connection.last_used)
  if (isLongAgo(used, touchEvery, now.getTime()))
    await tx.update('connections', id, { last_used: formatDate(now) })
  return true
}
