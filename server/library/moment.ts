import { formatDate, perTransaction, type Change } from '#records/index.ts'
import type { CreatedRecord } from '#server/collections/connections.ts'
import type { LibraryTransaction, Stored } from '#server/collections/stored.ts'

/**
 * When a reader made a change of a book, or a quote. One that waited on their device for a connection has the
 * header `X-Waited`: how many milliseconds it waited. An age, since the device's clock may be wrong.
 *
 * @returns not later than now, and not before the book, or for a new one its reader, was added
 */
export async function momentOf(
  tx: LibraryTransaction,
  { before, after, request }: MadeChange,
  now: Date,
): Promise<Date> {
  const { pushed } = deviceWrites(tx)
  if (!pushed && !hasWaited(request)) return now
  const base = before ?? (await tx.find('users', after.user))
  const earliest = base ? Date.parse(base.created) : now.getTime()
  const made = pushed?.getTime() ?? now.getTime() - waitedBy(request)
  return new Date(Math.min(Math.max(made, earliest), now.getTime()))
}

/** Milliseconds in which page updates share one timeline entry and a status can be undone. */
const oneSitting = 10 * 60 * 1000

/** When a change was made, and when it is written: later if it waited. */
export interface Moment {
  made: Date
  written: Date
}

/**
 * The times of what belongs to the same sitting as a change. What is dated later than the change is
 * written comes from a clock that was ahead, and belongs to none.
 */
export const sittingOf = ({ made, written }: Moment) => ({
  from: formatDate(made.getTime() - oneSitting),
  to: formatDate(written),
})

/** A device's change of a book, and the records that follow from it. */
interface DeviceWrites {
  /** When the device sent it; absent for a reader's own changes. */
  pushed?: Date
  /** Whether the progress log has the day from the device's statistics instead. */
  isTimed?: boolean
  /** What it has created beside the book, to be taken back if it was another book. */
  created: CreatedRecord[]
}

/** What a device writes in a transaction. */
export const deviceWrites = perTransaction((): DeviceWrites => ({ created: [] }))

/** Creates a record that follows from a change of a book. */
export async function createdWith<Name extends CreatedRecord['collection']>(
  tx: LibraryTransaction,
  collection: Name,
  values: Parameters<typeof tx.create<Name>>[1],
): Promise<void> {
  const { id } = await tx.create(collection, values)
  deviceWrites(tx).created.push({ collection, id })
}

interface MadeChange {
  before: Pick<Stored<'user_books'>, 'created'> | null
  after: Pick<Stored<'user_books'>, 'user'>
  request: Change['request']
}

/** @returns whether a change was made before it was sent */
export const hasWaited = (request: Change['request']): boolean => waitedBy(request) > 0

/** @returns whether a change was made before it is written */
export const isLate = (tx: LibraryTransaction, request: Change['request']): boolean =>
  deviceWrites(tx).pushed !== undefined || hasWaited(request)

const waitedBy = (request: Change['request']) => Number(request?.headers['x_waited'] ?? 0)
