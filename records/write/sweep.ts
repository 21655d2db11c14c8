import { sql } from 'kysely'
import type { Core } from './core.ts'
import { parseKey } from '../files/names.ts'
import type { StoredFile } from '../files/storage.ts'
import { usedKeys } from '../files/table.ts'
import { transact } from './transaction.ts'
import { restorableSince } from './trash/find.ts'
import { emptyTrashEntries } from './trash/empty.ts'

/** Files looked up in one statement. */
const batch = 200

/**
 * Deletes files that no record names, which a crash can leave behind between writing a file and its
 * row, or between deleting a row and its file. Files that no collection could have stored are left
 * alone.
 *
 * @param age milliseconds before a file without a record counts as left over; longer than any write
 *   takes
 * @returns the number of files deleted
 */
export async function sweepFiles(core: Core, age = 3_600_000): Promise<number> {
  const { files } = core
  if (!files) return 0
  const before = Date.now() - age
  let removed = 0
  let some: StoredFile[] = []
  const sweep = async () => {
    const unused = await unusedOf(core, some)
    for (const key of unused) await files.storage.delete(key)
    removed += unused.length
    some = []
  }
  for await (const file of files.storage.list('')) {
    if (file.modified <= before) some.push(file)
    if (some.length >= batch) await sweep()
  }
  await sweep()
  return removed
}

async function unusedOf(core: Core, files: readonly StoredFile[]): Promise<string[]> {
  const owners = files.map(({ key }) => ({ key, owner: parseKey(key) }))
  const records = new Set(owners.flatMap(({ owner }) => owner?.record ?? []))
  const used = await usedKeys(core.database, [...records])
  return owners
    .filter(({ owner }) => owner && core.schema.find(owner.collection)?.id === owner.collection)
    .filter(({ owner }) => !used.has(`${owner!.collection}/${owner!.record}/${owner!.name}`))
    .map(({ key }) => key)
}

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
