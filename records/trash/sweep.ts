import { sql } from 'kysely'
import type { Core } from '../core.ts'
import { transact } from '../write/transaction.ts'
import { restorableSince } from './find.ts'
import { emptyTrashEntries } from './empty.ts'

/**
 * Ends what was removed too long ago to come back; to be called now and then.
 *
 * @returns how many removals there were
 */
export async function sweepTrash(core: Core): Promise<number> {
  let ended = 0
  for (const collection of core.schema.collections) {
    if (!collection.trashLife) continue
    const due = sql`collection = ${collection.id} AND removed < ${restorableSince(collection, core.now())}`
    // A few at a time: nobody should wait for all of them.
    for (let some = -1; some !== 0; ended += some)
      some = await transact(core, (tx) => emptyTrashEntries(tx, due, 20))
  }
  return ended
}
