import { createHash } from 'node:crypto'
import { link, mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { allBytes, diskStorage, type FileStorage } from '#records/index.ts'
import type { Config } from '../config.ts'
import { openStorage } from '../files.ts'
import { checksumOf } from './checksums.ts'

/** A picture that the copied database names and the storage no longer has. */
export class MissingPictureError extends Error {}

/**
 * Copies pictures into a backup.
 *
 * @param options.linked gives those of the data folder a second name in place of a copy, which takes
 *   no room; a stored picture is never changed, only replaced or deleted
 * @param options.done told after each how many there are by now
 * @returns the bytes of all, and the sum of each by its path in the backup
 * @throws PictureGoneError if one was deleted meanwhile
 */
export async function copyPictures(
  config: Pick<Config, 's3' | 'dataDir'>,
  folder: string,
  keys: readonly string[],
  options: { linked: boolean; done: (count: number) => void },
): Promise<{ bytes: number; sums: Map<string, string> }> {
  const originals = openStorage(config)
  const copies = diskStorage(join(folder, 'files'))
  const own = options.linked && !config.s3 ? join(config.dataDir, 'files') : undefined
  const sums = new Map<string, string>()
  let bytes = 0
  for (const key of keys) {
    const linked = own && (await linkPicture(join(own, key), join(folder, 'files', key)))
    const picture = linked || (await copyPicture(originals, copies, key))
    bytes += picture.bytes
    sums.set(`files/${key}`, picture.sum)
    options.done(sums.size)
  }
  return { bytes, sums }
}

interface Picture {
  bytes: number
  sum: string
}

async function copyPicture(from: FileStorage, to: FileStorage, key: string): Promise<Picture> {
  const content = await from.read(key)
  if (!content) throw new MissingPictureError(`the picture ${key} is missing`)
  const bytes = await allBytes(content)
  await to.put(key, bytes)
  return { bytes: bytes.length, sum: createHash('sha256').update(bytes).digest('hex') }
}

/** @returns undefined where the file system has no second names, or the backup is on another */
async function linkPicture(from: string, to: string): Promise<Picture | undefined> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  try {
    await link(from, to)
  } catch {
    return undefined
  }
  return { bytes: (await stat(to)).size, sum: await checksumOf(to) }
}
