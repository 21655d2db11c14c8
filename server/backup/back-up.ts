import { existsSync, statSync } from 'node:fs'
import { copyFile, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { openPostgres, openSqlite, type Connection } from '#records/index.ts'
import type { Config } from '../config.ts'
import { makeFolder, requireKnownDatabase } from '../data-folder.ts'
import { schemaOf } from '../migrations/migrate.ts'
import { databaseFile, manifestFile, type Manifest } from './manifest.ts'
import { removeAtStop, unfinishedName, removeUnfinished } from './unfinished.ts'
import { copyPictures, MissingPictureError } from './pictures.ts'
import { dumpPostgres } from './postgres-tools.ts'
import { checksumOf, writeChecksums } from './checksums.ts'

/** How often it is begun again because a picture went while it was being copied. */
const attempts = 5

type Source = Pick<Config, 'dataDir' | 'databaseUrl' | 's3'>

interface Options {
  /** Names the backup. */
  now?: Date
  /** Stands in its name after `octavo-`. */
  reason?: string
  /** Whether pictures of the data folder get a second name in place of a copy. */
  linked?: boolean
  progress?: (step: 'database' | 'pictures', done: number, total: number) => void
}

/**
 * Copies everything readers have told Octavo, as it was at one moment, while Octavo runs or not:
 * the database, the pictures it names, and the key that signs sessions.
 *
 * @param into folder in which the backup becomes a folder of its own, made when absent
 * @returns the new folder; it exists only once everything in it is whole and on disk
 * @throws if there is nothing to back up, or in the words of what failed
 */
export async function backUp(
  config: Source,
  into: string,
  options: Options = {},
): Promise<{ folder: string; manifest: Manifest }> {
  requireKnownDatabase(config)
  const { now = new Date(), reason } = options
  const time = now.toISOString().replaceAll(/\.\d+|[-:]/g, '')
  const name = `octavo-${reason ? `${reason}-` : ''}${time}`
  const folder = join(into, name)
  if (existsSync(folder)) throw new Error(`${folder} already exists`)
  const partial = join(into, unfinishedName(name))
  const stopCleaning = removeAtStop(partial)
  try {
    await removeUnfinished(into)
    for (let attempt = 1; ; attempt++) {
      await rm(partial, { recursive: true, force: true })
      makeFolder(partial)
      try {
        const manifest = await copyAll(config, partial, options)
        await rename(partial, folder)
        await sync(into)
        return { folder, manifest }
      } catch (error) {
        // What was deleted after the database was copied is gone from the next copy, too.
        if (!(error instanceof MissingPictureError) || attempt === attempts) throw error
      }
    }
  } finally {
    await rm(partial, { recursive: true, force: true })
    stopCleaning()
  }
}

async function copyAll(
  config: Source,
  folder: string,
  { linked = false, progress }: Options,
): Promise<Manifest> {
  const taken = new Date().toISOString()
  const { databaseUrl } = config
  const database = databaseUrl ? 'postgres' : 'sqlite'
  const place = join(folder, databaseFile[database])
  // The programs that fill it would let others read it.
  await writeFile(place, '', { mode: 0o600 })
  const { schema, pictures } = databaseUrl
    ? await copyPostgres(databaseUrl, place, progress)
    : await copySqlite(join(config.dataDir, 'octavo.db'), place, progress)
  await sync(place)
  const sums = new Map<string, string>([[databaseFile[database], await checksumOf(place)]])

  const count = pictures.length
  const done = (copied: number) => progress?.('pictures', copied, count)
  const copied = await copyPictures(config, folder, pictures, { linked, done })
  for (const [path, sum] of copied.sums) sums.set(path, sum)

  const secretFile = join(config.dataDir, 'secret')
  const secret = existsSync(secretFile)
  if (secret) {
    await copyFile(secretFile, join(folder, 'secret'))
    await sync(join(folder, 'secret'))
    sums.set('secret', await checksumOf(secretFile))
  }

  const manifest: Manifest = {
    octavo: 'backup',
    taken,
    database,
    schema,
    pictures: { count, bytes: copied.bytes },
    secret,
  }
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  await writeFile(join(folder, manifestFile), text, { mode: 0o600, flush: true })
  sums.set(manifestFile, await checksumOf(join(folder, manifestFile)))
  await writeChecksums(folder, sums)
  await sync(folder)
  return manifest
}

/** What of the database the rest of the backup depends on. */
interface DatabaseSummary {
  schema: number
  /** Keys of the storage. */
  pictures: string[]
}

/** Pages of the database that are copied between two reports of progress. */
const step = 4096

async function copySqlite(
  from: string,
  to: string,
  progress: Options['progress'],
): Promise<DatabaseSummary> {
  if (!existsSync(from)) throw new Error(`there is nothing to back up: ${from} does not exist`)
  using source = new DatabaseSync(from, { readOnly: true, timeout: 5000 })
  // In one step: a copy that pauses starts anew with every write of the running server. Progress
  // is for who holds the library alone.
  await backup(source, to, {
    rate: progress ? step : 2 ** 31 - 1,
    progress: ({ totalPages, remainingPages }) =>
      progress?.('database', totalPages - remainingPages, totalPages),
  })
  // Closed, it leaves no write-ahead log beside it.
  await using copy = openSqlite(to)
  return await summarize(copy)
}

/** The SQL of how many bytes the rows of a PostgreSQL database take, indexes left out */
export const tableBytes = `SELECT COALESCE(SUM(pg_table_size(oid)), 0) FROM pg_class
  WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`

async function copyPostgres(
  url: string,
  to: string,
  progress: Options['progress'],
): Promise<DatabaseSummary> {
  await using database = await openPostgres(url)
  // Asking for the size waits for every table's lock, so only who shows progress asks.
  const [size] = progress ? await database.query(tableBytes) : []
  const total = Number(size?.[0])
  // A dump is compressed: it is done before it has grown to the size of the tables.
  const look = () => progress?.('database', Math.min(statSync(to).size, total), total)
  const timer = progress && setInterval(look, 1000)
  try {
    return await database.transaction(async (tx) => {
      await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
      const [row] = await tx.query('SELECT pg_export_snapshot()')
      await dumpPostgres(url, String(row?.[0]), to)
      return summarize(tx)
    })
  } finally {
    clearInterval(timer)
  }
}

/** The first schema with pictures. */
const picturesSince = 4

async function summarize(database: Connection): Promise<DatabaseSummary> {
  const schema = await schemaOf(database)
  if (schema < picturesSince) return { schema, pictures: [] }
  const files = await database.query('SELECT collection, record, name FROM _files')
  return { schema, pictures: files.map((file) => file.join('/')) }
}

/** A file, or the entries of a folder, survive a power cut from here on. */
async function sync(path: string): Promise<void> {
  if (process.platform === 'win32' && (await stat(path)).isDirectory()) return
  await using file = await open(path, 'r')
  await file.sync()
}
