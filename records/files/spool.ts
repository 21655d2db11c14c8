import { openAsBlob } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Bytes. Larger bodies and files aren't held in memory. */
export const maxInMemory = 1_048_576

/**
 * Creates a folder for the files of one piece of work. Its name has the process that owns it, so
 * that {@link removeAbandoned} knows when that is gone.
 *
 * @param within created if it doesn't exist
 */
export async function temporaryFolder(within: string, name: string): Promise<string> {
  await mkdir(within, { recursive: true, mode: 0o700 })
  return mkdtemp(join(within, `${name}-${process.pid}-`))
}

/** Milliseconds; longer than any file takes, in case another process got the same number. */
const abandonedAfter = 6 * 3_600_000

/**
 * Deletes temporary folders whose process has ended, such as by a crash.
 *
 * @param since the start of this process, in milliseconds since 1970: an older folder with its
 *   number is of an earlier process with the same one, as is usual in containers
 */
export async function removeAbandoned(
  within: string,
  since = performance.timeOrigin,
): Promise<void> {
  for (const name of await readdir(within).catch(() => [])) {
    const path = join(within, name)
    const found = await stat(path).catch(() => null)
    const pid = Number(/-(\d+)-[^-]*$/.exec(name)?.[1])
    const isOwn = pid === process.pid && (found?.mtimeMs ?? 0) >= since
    const isInUse = isOwn || (pid !== process.pid && isRunning(pid))
    if (found && (!isInUse || Date.now() - found.mtimeMs > abandonedAfter))
      await rm(path, { recursive: true, force: true })
  }
}

/** @returns whether a process with this id is running on this machine */
export function isRunning(pid: number): boolean {
  if (!pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A body too large for memory, written to a temporary file. */
export interface SpooledBody {
  /** Read from the file each time. */
  blob: Blob
  /** Removes the file. */
  remove(): Promise<void>
}

/**
 * Writes a body to a file.
 *
 * @param within the folder for it, created if it doesn't exist
 * @throws what the body or the file system throws, after removing the file
 */
export async function spool(body: AsyncIterable<Uint8Array>, within: string): Promise<SpooledBody> {
  const folder = await temporaryFolder(within, 'upload')
  const remove = () => rm(folder, { recursive: true, force: true })
  const path = join(folder, 'body')
  try {
    await writeFile(path, body, { flag: 'wx', mode: 0o600 })
    return { blob: await openAsBlob(path), remove }
  } catch (error) {
    await remove()
    throw error
  }
}
