import { randomBytes } from 'node:crypto'
import { rmSync, statSync } from 'node:fs'
import { rename, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { ApiError, type Database, type DiskSpace } from '#records/index.ts'
import answers from '#shared/sentences/answers.json' with { type: 'json' }
import { isDiskFull } from './failure.ts'

/**
 * Bytes reserved for what must work while the disk is full: signing out, deleting, emptying the
 * trash.
 */
const reserved = 16 * 1_048_576
/** Free bytes beyond the reserve at which readers can save again. */
const enough = 8 * 1_048_576
/** Free bytes below which the disk counts as full even if no write has failed. */
const nothing = 65_536
/** Milliseconds after the reserve is released in which failed writes may be retried. */
const triesAgain = 1000
/** Milliseconds between attempts to write a new reserve. */
const refillEvery = 30_000

/** The free space of the data folder. */
export interface Disk extends DiskSpace {
  /** Checks whether the disk is full. */
  isFull(): Promise<boolean>
  close(): void
}

/**
 * Keeps a file of 16 MB in the data folder and removes it when the disk is full, as SQLite needs
 * space even to delete. From then on, writes that take space are refused until there is some.
 */
export function openDisk(folder: string, database: Database, log: Logger): Disk {
  const file = join(folder, 'reserve')
  let isFull = false
  let releasedAt = -Infinity
  /** Bytes set aside for files that are being written. */
  let claimed = 0

  /** Bytes that can be written, in the folder and in free pages of the database file. */
  async function room(): Promise<number> {
    const { bavail, bsize } = await statfs(folder)
    if (database.dialect.name !== 'sqlite') return bavail * bsize
    const [free] = await database.query(
      'SELECT freelist_count * page_size FROM pragma_freelist_count, pragma_page_size',
    )
    return bavail * bsize + Number(free?.[0])
  }

  /**
   * Renames a complete new reserve into place. It has random bytes, as a file system may compress
   * others.
   */
  async function refill(): Promise<void> {
    if (isFull || statSync(file, { throwIfNoEntry: false })?.size === reserved) return
    const fresh = `${file}.new`
    try {
      const { bavail, bsize } = await statfs(folder)
      if (bavail * bsize < reserved + enough) return
      await writeFile(fresh, randomBytes(reserved), { mode: 0o600 })
      await rename(fresh, file)
    } catch (error) {
      await rm(fresh, { force: true })
      log.debug({ err: error }, 'no disk space could be reserved')
    }
  }

  async function look(): Promise<boolean> {
    const bytes = await room()
    if (!isFull) return bytes < nothing
    if (bytes < reserved + enough) return true
    log.warn('The disk has free space again: readers can save')
    return (isFull = false)
  }

  void refill()
  const timer = setInterval(() => void refill(), refillEvery).unref()
  return {
    isFull: look,
    async admitWrite() {
      if (isFull && (await look())) throw noRoom()
    },
    async claim(bytes) {
      // Counted first, so that claims at the same time don't get the same space.
      claimed += bytes
      const end = once(() => (claimed -= bytes))
      try {
        const { bavail, bsize } = await statfs(folder)
        if (bavail * bsize - claimed < reserved + enough) throw noRoom()
      } catch (error) {
        end()
        throw error
      }
      return { [Symbol.dispose]: end }
    },
    ranOut(error) {
      if (!isDiskFull(error)) return false
      if (!isFull) {
        isFull = true
        releasedAt = performance.now()
        rmSync(file, { force: true })
        log.error({ err: error }, `The disk of ${folder} is full: readers can only read and delete`)
      }
      return performance.now() - releasedAt < triesAgain
    },
    close: () => clearInterval(timer),
  }
}

const noRoom = () => new ApiError(507, answers.cannotSave)

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}
