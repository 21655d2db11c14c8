import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Milliseconds between updates of a file's time of use. */
const noteEvery = 3_600_000

/** A disk cache of pictures; the least recently used are deleted first. */
interface CoverStore {
  /** @returns the picture and when it was stored; empty bytes mean "there is none" */
  read(key: string): Promise<{ bytes: Uint8Array; kept: number } | null>
  /** Never throws: a picture that can't be stored is fetched again. */
  write(key: string, bytes: Uint8Array): Promise<void>
}

/**
 * @param folder created if missing
 * @param maxBytes of all files together; 0 disables the cache
 */
export function openCoverStore(folder: string, maxBytes: number): CoverStore {
  const files = new Map<string, { size: number; used: number }>()
  let total = 0
  let counting: Promise<void> | undefined
  let serial = 0

  /** Counts the existing files before the first write. */
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
      // A concurrent write may be deleting files too.
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
      // An empty file's date is when there was no picture.
      if (bytes.length > 0 && Math.abs(now - found.mtimeMs) > noteEvery)
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
        // An empty file takes disk space as well.
        note(file, Math.max(bytes.length, 512), Date.now())
        await shrink()
      } catch {
        await rm(draft, { force: true }).catch(() => undefined)
      }
    },
  }
}

/** Hashed, as names that differ only in case would collide on some file systems. */
function fileOf(key: string): string {
  const digest = createHash('sha256').update(key).digest('hex')
  return join(digest.slice(0, 2), digest.slice(2, 42))
}
