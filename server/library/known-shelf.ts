import { sql } from 'kysely'
import { prepared, type WriteTransaction } from '#records/index.ts'

/** What a change to a book asks about its shelf. */
interface KnownShelf {
  user: string
  name: string
  isPublic: boolean
}

/** What a transaction has looked up: nobody else can change a shelf that it has locked. */
const knownShelves = () => new Map<string, KnownShelf | null>()

/**
 * A shelf, which nobody else can change or fill until the transaction ends: what is counted or
 * compared on it (copies, covers) must not change underneath.
 *
 * @returns null if there is no such shelf
 */
export async function knownShelf(tx: WriteTransaction, id: string): Promise<KnownShelf | null> {
  const shelves = tx.state(knownShelves)
  const there = shelves.get(id)
  if (there !== undefined) return there
  const [row] = await read(tx, { id })
  const shelf = row
    ? { user: String(row[0]), name: String(row[1]), isPublic: row[2] === 'public' }
    : null
  shelves.set(id, shelf)
  return shelf
}

/** To be told of every change to a shelf. */
export function forgetShelf(tx: WriteTransaction, id: string): void {
  tx.state(knownShelves).delete(id)
}

/** Locks shelves in one order for everybody, so that two moves cannot block each other. */
export async function lockShelves(tx: WriteTransaction, shelves: Iterable<string>): Promise<void> {
  for (const id of [...new Set(shelves)].toSorted()) await knownShelf(tx, id)
}

const read = prepared<{ id: string }>(
  (
    value,
    { name },
  ) => sql`SELECT "user", name, visibility FROM bookshelves WHERE id = ${value('id')}
    ${name === 'postgres' ? sql`FOR NO KEY UPDATE` : sql``}`,
)
