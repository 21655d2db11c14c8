import { named, text } from '#records/index.ts'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { schema } from '#server/collections/schema.ts'
import { lifeOf } from '#server/collections/life.ts'
import type { LibraryRecords, LibraryTransaction } from '#server/collections/stored.ts'
import { query } from '#server/storage/query.ts'

/** The collections to clear, each before those that its relations lead to. */
const cleared = schema.collections
  .filter((one) => lifeOf(one).cleared)
  .map(({ name }) => name)
  .toReversed()

/** Records to delete before other requests get their turn. */
const othersTurn = 20

/**
 * Deletes a reader's books with progress, readings and quotes, the timeline, and the trash, in one
 * transaction. Account, profile, settings and the empty shelves stay.
 */
export async function resetAccount(
  records: Pick<LibraryRecords, 'write'>,
  user: string,
): Promise<void> {
  await records.write(async (tx) => {
    await tx.emptyTrash(user)
    for (const collection of cleared)
      for (const [n, id] of (await idsOf(tx, collection, user)).entries()) {
        await tx.delete(collection, id)
        // SQLite itself never yields.
        if (n % othersTurn === 0) await setImmediate()
      }
  })
}

async function idsOf(tx: LibraryTransaction, collection: string, user: string): Promise<string[]> {
  const rows = await query(
    tx,
    sql`SELECT id FROM ${sql.table(collection)} WHERE "user" = ${user} ORDER BY id`,
  )
  return named(rows, { id: text }).map(({ id }) => id)
}
