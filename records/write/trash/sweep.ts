import { sql } from 'kysely'
import type { Core } from '../core.ts'
import { transact } from '../transaction.ts'
import { restorableSince } from './find.ts'
import { emptyTrashEntries } from './empty.ts'

/**
 * Permanently deletes what can no longer be restored. Call it periodically.
 *
 * @returns the number of deletions removed
 */
export async function sweepTrash(core: Core): Promise<number> {
  let ended = 0
  for (const collection of core.schema.collections) {
    if (!collection.trashLife) continue
    const due = sql`collection = ${collection.id} AND removed < ${restorableSince(collection, core.now())}`
    // A few at a time, so that other writes don't wait for all of them.
    for (let some = -1; some !== 0; ended += some)
      some = await transact(core, (tx) => emptyTrashEntries(tx, due, 20))
  }
  return ended
}
