import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Records, WriteTransaction } from '#records/index.ts'
import { query } from '#server/query.ts'

/** Records to delete before other requests get their turn. */
const othersTurn = 100

/**
 * Deletes a reader's books with progress, readings and quotes, the timeline, and the trash, in one
 * transaction. Account, profile, settings and the empty shelves stay.
 */
export async function resetAccount(records: Pick<Records, 'write'>, user: string): Promise<void> {
  await records.write(async (tx) => {
    await tx.emptyTrash(user)
    for (const collection of ['activities', 'progress_log', 'readings', 'quotes', 'user_books'])
      for (const [n, id] of (await idsOf(tx, collection, user)).entries()) {
        await tx.delete(collection, id)
        // SQLite itself never yields.
        if (n % othersTurn === 0) await setImmediate()
      }
  })
}

async function idsOf(tx: WriteTransaction, collection: string, user: string): Promise<string[]> {
  const rows = await query(
    tx,
    sql`SELECT id FROM ${sql.table(collection)} WHERE "user" = ${user} ORDER BY id`,
  )
  return rows.map(([id]) => String(id))
}
