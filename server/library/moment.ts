import type { Change } from '#records/index.ts'
import type { LibraryTransaction, Stored } from '#server/library/stored.ts'

/**
 * When a reader made a change of a book. One that waited on their device for a connection has the
 * header `X-Waited`: how many milliseconds it waited. An age, since the device's clock may be wrong.
 *
 * @returns not later than now, and not before the book, or for a new one its reader, was added
 */
export async function momentOf(
  tx: LibraryTransaction,
  { before, after, request }: MadeChange,
  now: Date,
): Promise<Date> {
  if (!hasWaited(request)) return now
  const base = before ?? (await tx.find('users', after.user))
  const earliest = base ? Date.parse(base.created) : now.getTime()
  return new Date(Math.max(now.getTime() - waitedBy(request), earliest))
}

interface MadeChange {
  before: Stored<'user_books'> | null
  after: Stored<'user_books'>
  request: Change['request']
}

/** @returns whether a change was made before it was sent */
export const hasWaited = (request: Change['request']): boolean => waitedBy(request) > 0

const waitedBy = (request: Change['request']) => Number(request?.headers['x_waited'] ?? 0)
