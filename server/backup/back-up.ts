import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import {
  diskStorage,
  openPostgres,
  openSqlite,
  allBytes,
  type Connection,
  type FileStorage,
} from '#records/index.ts'
import type { Config } from '../config.ts'
import { makeFolder } from '../data-folder.ts'
import { openStorage } from '../files.ts'
import { databaseFile, manifestFile, type Manifest } from './manifest.ts'
import { dumpPostgres } from './postgres-tools.ts'
import { sumOf, writeSums } from './sums.ts'

/** How often it is begun again because a picture went while it was being copied. */
const attempts = 5

/** A picture that the copied database names and the storage no longer has. */
class PictureGoneError extends Error {}

/**
 * Copies everything readers have told Octavo, as it was at one moment, while Octavo runs or not:
 * the database, the pictures it names, and the key that signs sessions.
 *
 * @param into folder in which the backup becomes a folder of its own, made when absent
 * @param now names the backup
 * @returns the new folder; it exists only once everything in it is whole and on disk
 * @throws if there is nothing to back up, or in the words of what failed
 */
export async function backUp(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 's3'>,
  into: string,
  now = new Date(),
): Promise<{ folder: string; manifest: Manifest }> {
  const name = `octavo-${now.toISOString().replaceAll(/\.\d+|[-:]/g, '')}`
  const folder = join(into, name)
  if (existsSync(folder)) throw new Error(`${folder} exists already`)
  const partial = join(into, `.${name}.partial`)
  try {
    for (let attempt = 1; ; attempt++) {
      await rm(partial, { recursive: true, force: true })
      makeFolder(partial)
      try {
        const manifest = await copyAll(config, partial)
        await rename(partial, folder)
        await sync(into)
        return { folder, manifest }
      } catch (error) {
        // What was deleted after the database was copied is gone from the next copy, too.
        if (!(error instanceof PictureGoneError) || attempt === attempts) throw error
      }
    }
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

async function copyAll(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 's3'>,
  folder: string,
): Promise<Manifest> {
  const taken = new Date().toISOString()
  const { databaseUrl } = config
  const database = databaseUrl ? 'postgres' : 'sqlite'
  const place = join(folder, databaseFile[database])
  // The programs that fill it would let others read it.
  await writeFile(place, '', { mode: 0o600 })
  const { schema, pictures } = databaseUrl
    ? await copyPostgres(databaseUrl, place)
    : await copySqlite(join(config.dataDir, 'octavo.db'), place)
  await sync(place)
  const sums = new Map<string, string>([[databaseFile[database], await sumOf(place)]])

  const originals = openStorage(config)
  const copies = diskStorage(join(folder, 'files'))
  let bytes = 0
  for (const key of pictures) {
    const picture = await copyPicture(originals, copies, key)
    bytes += picture.bytes
    sums.set(`files/${key}`, picture.sum)
  }

  const secretFile = join(config.dataDir, 'secret')
  const secret = existsSync(secretFile)
  if (secret) {
    await copyFile(secretFile, join(folder, 'secret'))
    await sync(join(folder, 'secret'))
    sums.set('secret', await sumOf(secretFile))
  }

  const count = pictures.length
  const manifest: Manifest = {
    octavo: 'backup',
    taken,
    database,
    schema,
    pictures: { count, bytes },
    secret,
  }
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  await writeFile(join(folder, manifestFile), text, { mode: 0o600, flush: true })
  sums.set(manifestFile, await sumOf(join(folder, manifestFile)))
  await writeSums(folder, sums)
  await sync(folder)
  return manifest
}

/** What of the database the rest of the backup depends on. */
interface Facts {
  schema: number
  /** Keys of the storage. */
  pictures: string[]
}

async function copySqlite(from: string, to: string): Promise<Facts> {
  if (!existsSync(from)) throw new Error(`there is nothing to back up: ${from} does not exist`)
  const source = new DatabaseSync(from, { readOnly: true, timeout: 5000 })
  try {
    // In one step: a copy that pauses starts anew with every write of the running server.
    await backup(source, to, { rate: 2 ** 31 - 1 })
  } finally {
    source.close()
  }
  const copy = openSqlite(to)
  try {
    return await factsOf(copy)
  } finally {
    // Leaves no write-ahead log beside it.
    await copy.close()
  }
}

async function copyPostgres(url: string, to: string): Promise<Facts> {
  const database = await openPostgres(url)
  try {
    return await database.transaction(async (tx) => {
      await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
      const [row] = await tx.query('SELECT pg_export_snapshot()')
      await dumpPostgres(url, String(row?.[0]), to)
      return factsOf(tx)
    })
  } finally {
    await database.close()
  }
}

async function factsOf(database: Connection): Promise<Facts> {
  const [row] = await database.query('SELECT MAX(number) FROM _migrations')
  const files = await database.query('SELECT collection, record, name FROM _files')
  return { schema: Number(row?.[0]), pictures: files.map((file) => file.join('/')) }
}

async function copyPicture(
  from: FileStorage,
  to: FileStorage,
  key: string,
): Promise<{ bytes: number; sum: string }> {
  const content = await from.read(key)
  if (!content) throw new PictureGoneError(`the picture ${key} is missing`)
  const bytes = await allBytes(content)
  await to.put(key, bytes)
  return { bytes: bytes.length, sum: createHash('sha256').update(bytes).digest('hex') }
}

/** A file, or the entries of a folder, survive a power cut from here on. */
async function sync(path: string): Promise<void> {
  if (process.platform === 'win32' && (await stat(path)).isDirectory()) return
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
