import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Milliseconds between counts, as a library may have very many pictures. */
const countedEvery = 600_000

/** Parts of the data folder, by the prefix of their names. */
const parts = ['octavo', 'catalogue', 'sources', 'files', 'covers', 'mail', 'backups'] as const

/**
 * @returns a function that returns recent sizes of a data folder's parts in bytes, and throws if
 *   the folder can't be read
 */
export function folderSizes(folder: string): () => Promise<ReadonlyMap<string, number>> {
  let sizes: Promise<ReadonlyMap<string, number>> | undefined
  let counted = -Infinity
  return () => {
    if (sizes && performance.now() - counted < countedEvery) return sizes
    counted = performance.now()
    sizes = count(folder)
    // After a failure, count again at the next call.
    sizes.catch(() => (counted = -Infinity))
    return sizes
  }
}

async function count(folder: string): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>([...parts, 'other'].map((part) => [part, 0]))
  // Files that were just deleted or can't be read count as 0.
  for await (const { name } of await opendir(folder)) {
    const part = parts.find((start) => name.startsWith(start)) ?? 'other'
    sizes.set(part, (sizes.get(part) ?? 0) + (await bytesOf(join(folder, name))))
  }
  return sizes
}

async function bytesOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isDirectory()) return found?.size ?? 0
  let bytes = 0
  const entries = await opendir(path).catch(() => [])
  for await (const { name } of entries) bytes += await bytesOf(join(path, name))
  return bytes
}
