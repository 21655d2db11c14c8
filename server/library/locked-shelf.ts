import { sql } from 'kysely'
import { prepared, type WriteTransaction } from '#records/index.ts'

/** What a change to a book needs to know about its shelf. */
interface LockedShelf {
  user: string
  name: string
  isPublic: boolean
}

/** Shelves that a transaction has locked and read. */
const lockedShelves = () => new Map<string, LockedShelf | null>()

/**
 * Locks and reads a shelf, so that its copies and covers can't change until the transaction ends.
 *
 * @returns null if there is no such shelf
 */
export async function lockShelf(tx: WriteTransaction, id: string): Promise<LockedShelf | null> {
  const shelves = tx.state(lockedShelves)
  const there = shelves.get(id)
  if (there !== undefined) return there
  const [row] = await read(tx, { id })
  const shelf = row
    ? { user: String(row[0]), name: String(row[1]), isPublic: row[2] === 'public' }
    : null
  shelves.set(id, shelf)
  return shelf
}

/** Call this after every change to a shelf. */
export function dropLockedShelf(tx: WriteTransaction, id: string): void {
  tx.state(lockedShelves).delete(id)
}

/** Locks shelves in the same order everywhere, so that two moves can't deadlock. */
export async function lockShelves(tx: WriteTransaction, shelves: Iterable<string>): Promise<void> {
  for (const id of [...new Set(shelves)].toSorted()) await lockShelf(tx, id)
}

const read = prepared<{ id: string }>(
  (
    value,
    { name },
  ) => sql`SELECT "user", name, visibility FROM bookshelves WHERE id = ${value('id')}
    ${name === 'postgres' ? sql`FOR NO KEY UPDATE` : sql``}`,
)
