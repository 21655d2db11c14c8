import { createHash } from 'node:crypto'
import { link, mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { allBytes, diskStorage, type FileStorage } from '#records/index.ts'
import type { Config } from '../config.ts'
import { openStorage } from '../files.ts'
import { checksumOf } from './checksums.ts'

/** The copied database names a picture that the storage no longer has. */
export class MissingPictureError extends Error {}

/**
 * Copies pictures into a backup.
 *
 * @param options.linked hard-links those in the data folder, which takes no space; a stored picture
 *   is never modified, only replaced or deleted
 * @param options.done called after each with the number so far
 * @returns the total bytes, and each checksum by path in the backup
 * @throws MissingPictureError if one was deleted meanwhile
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

/** @returns undefined if the file system has no hard links, or the backup is on another one */
async function linkPicture(from: string, to: string): Promise<Picture | undefined> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  try {
    await link(from, to)
  } catch {
    return undefined
  }
  return { bytes: (await stat(to)).size, sum: await checksumOf(to) }
}
