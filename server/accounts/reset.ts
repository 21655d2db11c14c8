import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Records, WriteTransaction } from '#records/index.ts'
import { query } from '#server/query.ts'

/** Records after which others get theirs. */
const othersTurn = 100

/**
 * Clears a reader's books, with all progress, readings and quotes, and the whole timeline, and what was removed of them
 * before; the shelves stay, empty. All or nothing. Account, profile and settings stay as they are.
 */
export async function resetAccount(records: Pick<Records, 'write'>, user: string): Promise<void> {
  await records.write(async (tx) => {
    await tx.emptyTrash(user)
    for (const collection of ['activities', 'progress_log', 'readings', 'quotes', 'user_books'])
      for (const [n, id] of (await idsOf(tx, collection, user)).entries()) {
        await tx.delete(collection, id)
        // SQLite answers without leaving the processor to anybody else.
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
