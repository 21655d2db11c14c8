import { openAsBlob } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Bytes. Larger bodies and files aren't held in memory. */
export const maxInMemory = 1_048_576

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
