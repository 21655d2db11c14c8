import type { Core } from '../core.ts'
import { parseKey } from './names.ts'
import type { StoredFile } from './storage.ts'
import { usedKeys } from './table.ts'

/** Files looked up in one statement. */
const batch = 200

/**
 * Removes files that no record has: what a crash left between a file and its row, or between a row
 * and its file. What no collection could have stored is not touched.
 *
 * @param age milliseconds since a file was written before it can be left over; longer than any
 *   write takes
 * @returns how many were removed
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
