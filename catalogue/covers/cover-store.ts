import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** A file read again is noted as used at most this often. Milliseconds. */
const noteEvery = 3_600_000

/** Pictures on disk, up to a size: what was not asked for the longest goes first. */
interface CoverStore {
  /** @returns the picture and when it was kept; empty bytes stand for "there is none" */
  read(key: string): Promise<{ bytes: Uint8Array; kept: number } | null>
  /** Never throws: what cannot be kept is fetched again. */
  write(key: string, bytes: Uint8Array): Promise<void>
}

/**
 * @param folder made when it is missing
 * @param maxBytes of all files together; 0 keeps nothing
 */
export function openCoverStore(folder: string, maxBytes: number): CoverStore {
  const files = new Map<string, { size: number; used: number }>()
  let total = 0
  let counting: Promise<void> | undefined
  let serial = 0

  /** What earlier runs left, counted before the first write. */
  async function count(): Promise<void> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
    for (const entry of entries.filter((one) => one.isFile())) {
      const file = join(entry.parentPath, entry.name)
      const found = await stat(file).catch(() => null)
      if (found && !files.has(file)) note(file, found.size, found.mtimeMs)
    }
  }

  function note(file: string, size: number, used: number): void {
    total += size - (files.get(file)?.size ?? 0)
    files.set(file, { size, used })
  }

  async function shrink(): Promise<void> {
    if (total <= maxBytes) return
    const oldest = [...files].toSorted(([, a], [, b]) => a.used - b.used)
    for (const [file] of oldest) {
      if (total <= maxBytes * 0.9) return
      // Another write may be making room at the same time.
      const size = files.get(file)?.size
      if (size === undefined) continue
      files.delete(file)
      total -= size
      await rm(file, { force: true })
    }
  }

  return {
    async read(key) {
      const file = join(folder, fileOf(key))
      const [bytes, found] = await Promise.all([readFile(file), stat(file)]).catch(() => [
        null,
        null,
      ])
      if (!bytes || !found) return null
      const now = Date.now()
      const known = files.get(file)
      if (known) known.used = now
      // The date of an empty file says when there was none.
      if (bytes.length > 0 && now - found.mtimeMs > noteEvery)
        await utimes(file, now / 1000, now / 1000).catch(() => undefined)
      return { bytes, kept: found.mtimeMs }
    },
    async write(key, bytes) {
      if (maxBytes === 0) return
      const file = join(folder, fileOf(key))
      const draft = `${file}.${process.pid}.${serial++}.new`
      try {
        await (counting ??= count())
        await mkdir(dirname(file), { recursive: true })
        await writeFile(draft, bytes)
        await rename(draft, file)
        // An empty file takes room as well.
        note(file, Math.max(bytes.length, 512), Date.now())
        await shrink()
      } catch {
        await rm(draft, { force: true }).catch(() => undefined)
      }
    },
  }
}

/** Names of other catalogues differ in case only, which some file systems do not. */
function fileOf(key: string): string {
  const digest = createHash('sha256').update(key).digest('hex')
  return join(digest.slice(0, 2), digest.slice(2, 42))
}
