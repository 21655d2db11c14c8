import { createHash } from 'node:crypto'
import { link, mkdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { allBytes, diskStorage, type FileStorage } from '#records/index.ts'
import type { Config } from '../settings/config.ts'
import { openStorage } from '../storage/files.ts'
import { checksumOf } from './checksums.ts'

/** A picture as the database names it. */
export interface NamedPicture {
  /** Its storage key. */
  key: string
  /** Bytes. */
  size: number
}

/** The pictures that were copied into a backup. */
interface CopiedPictures {
  bytes: number
  /** By path in the backup. */
  sums: Map<string, string>
  /** The keys of those that are missing or damaged. */
  missing: string[]
}

/**
 * Copies pictures into a backup. One that is missing, damaged or of another size doesn't stop the
 * others.
 *
 * @param options.linked hard-links those in the data folder, which takes no space; a stored picture
 *   is never modified, only replaced or deleted
 * @param options.done called after each with the number so far
 * @throws if the bucket or the backup's folder fails
 */
export async function copyPictures(
  config: Pick<Config, 's3' | 'dataDir'>,
  folder: string,
  pictures: readonly NamedPicture[],
  options: { linked: boolean; done: (count: number) => void },
): Promise<CopiedPictures> {
  const originals = openStorage(config)
  const copies = diskStorage(join(folder, 'files'))
  const own = options.linked && !config.s3 ? join(config.dataDir, 'files') : undefined
  const sums = new Map<string, string>()
  const missing: string[] = []
  let bytes = 0
  for (const { key, size } of pictures) {
    const copy = join(folder, 'files', key)
    const linked = own && (await linkPicture(join(own, key), copy))
    const picture = linked || (await copyPicture(originals, copies, key))
    if (picture?.bytes === size) {
      bytes += size
      sums.set(`files/${key}`, picture.sum)
    } else {
      await rm(copy, { force: true })
      missing.push(key)
    }
    options.done(sums.size + missing.length)
  }
  return { bytes, sums, missing }
}

interface Picture {
  bytes: number
  sum: string
}

/** @returns undefined if it can't be read */
async function copyPicture(
  from: FileStorage,
  to: FileStorage,
  key: string,
): Promise<Picture | undefined> {
  const bytes = await readPicture(from, key)
  if (!bytes) return undefined
  await to.put(key, bytes)
  return { bytes: bytes.length, sum: createHash('sha256').update(bytes).digest('hex') }
}

/** Error codes for a single unreadable file: a damaged disk, or another account's file. */
const unreadable: readonly unknown[] = ['EIO', 'EACCES', 'EPERM', 'ELOOP']

async function readPicture(from: FileStorage, key: string): Promise<Uint8Array | undefined> {
  try {
    const content = await from.read(key)
    return content ? await allBytes(content) : undefined
  } catch (error) {
    if (unreadable.includes((error as NodeJS.ErrnoException).code)) return undefined
    throw error
  }
}

/**
 * @returns undefined if it can't be read, the file system has no hard links or the backup is on
 *   another one
 */
async function linkPicture(from: string, to: string): Promise<Picture | undefined> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  try {
    await link(from, to)
    return { bytes: (await stat(to)).size, sum: await checksumOf(to) }
  } catch {
    await rm(to, { force: true })
    return undefined
  }
}
