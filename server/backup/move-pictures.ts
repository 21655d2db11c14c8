import { join } from 'node:path'
import {
  allBytes,
  diskStorage,
  s3Storage,
  type Database,
  type FileStorage,
} from '#records/index.ts'
import type { Config } from '../settings/config.ts'
import { markBucketUsed, openDataFolder, unmarkBucketUsed } from '../storage/data-folder.ts'
import { schema } from '#server/collections/schema.ts'
import { openLibrary } from '#server/open/open-library.ts'
import { refuseShared } from './move-to-sqlite.ts'

/** The places that can store pictures. */
export const picturePlaces = ['bucket', 'folder'] as const
export type PicturePlace = (typeof picturePlaces)[number]

/** Files that are copied at once: up to this many, and bytes. */
const together = { files: 8, bytes: 16 * 1_048_576 }

interface Moved {
  /** Copied by this run. */
  copied: number
  /** Copied by an earlier run. */
  already: number
  /** Keys of pictures that neither place has. */
  missing: string[]
}

/**
 * Moves the pictures that the library names, and files of imports, between the data folder and the
 * bucket. Each copy is read back and compared; the originals are deleted only once every copy is
 * right. An interrupted move goes on when it is run again.
 *
 * @param options.keep leaves the originals
 * @param options.progress called with the number so far
 * @throws in words an operator can act on, if Octavo runs, the bucket isn't configured, or a copy
 *   differs; then no original was deleted
 */
export async function movePictures(
  config: Config,
  to: PicturePlace,
  options: { keep: boolean; progress: (done: number, total: number) => void },
): Promise<Moved> {
  const { s3, dataDir } = config
  if (!s3) throw new Error('set S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY')
  using _held = openDataFolder(dataDir)
  await using database = await openLibrary(config)
  // Other processes would go on using the originals.
  if (database.dialect.name === 'postgres') await refuseShared(database)
  const places = { bucket: s3Storage(s3), folder: diskStorage(join(dataDir, 'files')) }
  const [from, target] =
    to === 'bucket' ? [places.folder, places.bucket] : [places.bucket, places.folder]
  const moved = await copyAll(database, from, target, options.progress)
  if (to === 'folder') unmarkBucketUsed(dataDir)
  // Everything below these folders belongs to the library: pictures, thumbs and leftovers.
  if (!options.keep) for (const { id } of schema.collections) await from.delete(`${id}/`)
  if (to === 'bucket') markBucketUsed(dataDir, { bucket: s3.bucket, endpoint: s3.endpoint })
  return moved
}

interface Picture {
  key: string
  /** Bytes. */
  size: number
}

async function copyAll(
  database: Database,
  from: FileStorage,
  to: FileStorage,
  progress: (done: number, total: number) => void,
): Promise<Moved> {
  const rows = await database.query('SELECT collection, record, name, size FROM _files')
  const pictures = rows.map(([collection, record, name, size]): Picture => {
    return { key: [collection, record, name].join('/'), size: Number(size) }
  })
  const sizes = new Map<string, number>()
  for await (const { key, size } of to.list('')) sizes.set(key, size)
  const moved: Moved = { copied: 0, already: 0, missing: [] }
  let done = 0
  for (const batch of batches(pictures)) {
    await Promise.all(
      batch.map(async (picture) => {
        const outcome = await copyOne(from, to, picture, sizes.get(picture.key))
        if (outcome === 'missing') moved.missing.push(picture.key)
        else moved[outcome]++
      }),
    )
    progress((done += batch.length), pictures.length)
  }
  return moved
}

function* batches(pictures: readonly Picture[]): Generator<Picture[]> {
  let batch: Picture[] = []
  let bytes = 0
  for (const picture of pictures) {
    if (
      batch.length === together.files ||
      (batch.length && bytes + picture.size > together.bytes)
    ) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(picture)
    bytes += picture.size
  }
  if (batch.length) yield batch
}

/**
 * @param size what the target has under the key, in bytes; undefined for nothing
 * @throws if the copy can't be written or differs from the original
 */
async function copyOne(
  from: FileStorage,
  to: FileStorage,
  picture: Picture,
  size: number | undefined,
): Promise<'copied' | 'already' | 'missing'> {
  const { key } = picture
  const original = await from.read(key)
  // An interrupted move had come as far as deleting originals.
  if (!original) return size === picture.size ? 'already' : 'missing'
  const bytes = await allBytes(original)
  if (size === bytes.length && (await isSame(to, key, bytes))) return 'already'
  await to.put(key, bytes)
  if (!(await isSame(to, key, bytes)))
    throw new Error(`the copy of ${key} differs from the original, and no original was deleted`)
  return 'copied'
}

async function isSame(storage: FileStorage, key: string, bytes: Uint8Array): Promise<boolean> {
  const content = await storage.read(key)
  return content !== null && Buffer.compare(await allBytes(content), bytes) === 0
}
