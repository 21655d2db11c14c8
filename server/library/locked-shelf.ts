import { sql } from 'kysely'
import { perTransaction, prepared, named, text } from '#records/index.ts'
import type { LibraryTransaction } from '#server/collections/stored.ts'

/** What a change to a book needs to know about its shelf. */
interface LockedShelf {
  user: string
  name: string
  isPublic: boolean
}

/** Shelves that a transaction has locked and read. */
const lockedShelves = perTransaction(() => new Map<string, LockedShelf | null>())

/**
 * Locks and reads a shelf, so that its copies and covers can't change until the transaction ends.
 *
 * @returns null if there is no such shelf
 */
export async function lockShelf(tx: LibraryTransaction, id: string): Promise<LockedShelf | null> {
  const shelves = lockedShelves(tx)
  const there = shelves.get(id)
  if (there !== undefined) return there
  const [row] = named(await read(tx, { id }), { user: text, name: text, visibility: text })
  const shelf = row
    ? { user: row.user, name: row.name, isPublic: row.visibility === 'public' }
    : null
  shelves.set(id, shelf)
  return shelf
}

/** Call this after every change to a shelf. */
export function dropLockedShelf(tx: LibraryTransaction, id: string): void {
  lockedShelves(tx).delete(id)
}

/** Locks shelves in the same order everywhere, so that two moves can't deadlock. */
export async function lockShelves(
  tx: LibraryTransaction,
  shelves: Iterable<string>,
): Promise<void> {
  for (const id of [...new Set(shelves)].toSorted()) await lockShelf(tx, id)
}

const read = prepared<{ id: string }>(
  (
    value,
    { name },
  ) => sql`SELECT "user", name, visibility FROM bookshelves WHERE id = ${value('id')}
    ${name === 'postgres' ? sql`FOR NO KEY UPDATE` : sql``}`,
)
