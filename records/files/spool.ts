import { openAsBlob } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Bytes of a body or a file up to which it is held in memory. */
export const maxInMemory = 1_048_576

/** A body that is too large for memory, in a file of its own. */
export interface SpooledBody {
  /** Read from the file each time. */
  blob: Blob
  /** Removes the file. */
  remove(): Promise<void>
}

/**
 * Writes a body to a file.
 *
 * @param within the folder for it, made if it isn't there
 * @throws what the body throws, or the file system; nothing is left behind then
 */
export async function spool(body: AsyncIterable<Uint8Array>, within: string): Promise<SpooledBody> {
  await mkdir(within, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(within, 'upload-'))
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
