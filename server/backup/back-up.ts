import { existsSync, statSync } from 'node:fs'
import { copyFile, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { openPostgres, openSqlite, type Connection } from '#records/index.ts'
import type { Config } from '../settings/config.ts'
import { makeFolder, makeWritableFolder, requireKnownDatabase } from '../storage/data-folder.ts'
import { schemaOf } from '../migrations/migrate.ts'
import { databaseFile, manifestFile, type Manifest } from './manifest.ts'
import { canLink, requireSpace } from './space.ts'
import { removeAtStop, unfinishedName, removeUnfinished } from './unfinished.ts'
import { copyPictures, type NamedPicture } from './pictures.ts'
import { dumpPostgres } from './postgres-tools.ts'
import { checksumOf, writeChecksums } from './checksums.ts'

/** Attempts, as a picture may be deleted while it is being copied. */
const attempts = 5

type Source = Pick<Config, 'dataDir' | 'databaseUrl' | 's3'>

interface Options {
  /** The time in the backup's name. */
  now?: Date
  /** Follows `octavo-` in its name. */
  reason?: string
  /** The id of the schedule that makes it. */
  schedule?: string
  /** Whether pictures in the data folder are hard-linked, not copied. */
  linked?: boolean
  progress?: (step: 'database' | 'pictures', done: number, total: number) => void
}

/**
 * Makes a consistent backup, whether or not Octavo is running: the database, the pictures it names,
 * and the key that signs sessions. Pictures that are lost are skipped; the manifest lists them.
 *
 * @param into the folder in which the backup's folder is created; created if missing
 * @returns the new folder, which appears only once it is complete and flushed to disk
 * @throws if there is nothing to back up, or if a step fails
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
  makeWritableFolder(into)
  if (existsSync(folder)) throw new Error(`${folder} already exists`)
  const partial = join(into, unfinishedName(name))
  const stopCleaning = removeAtStop(partial)
  try {
    await removeUnfinished(into)
    for (let attempt = 1; ; attempt++) {
      await rm(partial, { recursive: true, force: true })
      makeFolder(partial)
      const manifest = await copyAll(config, partial, options)
      // The next copy of the database doesn't name a picture that was just deleted.
      if (attempt < attempts && (await wereDeleted(config, manifest.missing))) continue
      await rename(partial, folder)
      await sync(into)
      return { folder, manifest }
    }
  } finally {
    await rm(partial, { recursive: true, force: true })
    stopCleaning()
  }
}

async function copyAll(
  config: Source,
  folder: string,
  { linked = false, schedule, progress }: Options,
): Promise<Manifest> {
  const taken = new Date().toISOString()
  const { databaseUrl } = config
  const database = databaseUrl ? 'postgres' : 'sqlite'
  const place = join(folder, databaseFile[database])
  // pg_dump would create it readable by others.
  await writeFile(place, '', { mode: 0o600 })
  const spaceFor = (database: number, pictures: number) =>
    requireSpace(
      dirname(folder),
      database + (linked && !config.s3 && canLink(config.dataDir, folder) ? 0 : pictures),
      'the backup',
    )
  const { schema, pictures } = databaseUrl
    ? await copyPostgres(databaseUrl, place, spaceFor, progress)
    : await copySqlite(join(config.dataDir, 'octavo.db'), place, spaceFor, progress)
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
    pictures: { count: count - copied.missing.length, bytes: copied.bytes },
    missing: copied.missing,
    ...(schedule && { schedule }),
    secret,
  }
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  await writeFile(join(folder, manifestFile), text, { mode: 0o600, flush: true })
  sums.set(manifestFile, await checksumOf(join(folder, manifestFile)))
  await writeChecksums(folder, sums)
  await sync(folder)
  return manifest
}

/** What the rest of the backup depends on. */
interface DatabaseSummary {
  schema: number
  pictures: NamedPicture[]
}

/** Database pages between two progress reports. */
const step = 4096

/** Refuses to begin a backup without space for the bytes of the database and its pictures. */
type SpaceCheck = (database: number, pictures: number) => Promise<void>

const pictureBytes = 'SELECT COALESCE(SUM(size), 0) AS bytes FROM _files'

async function copySqlite(
  from: string,
  to: string,
  spaceFor: SpaceCheck,
  progress: Options['progress'],
): Promise<DatabaseSummary> {
  if (!existsSync(from)) throw new Error(`there is nothing to back up: ${from} does not exist`)
  using source = new DatabaseSync(from, { readOnly: true, timeout: 5000 })
  const hasPictures = source.prepare(`SELECT 1 FROM sqlite_schema WHERE name = '_files'`).get()
  const pictures = hasPictures ? Number(source.prepare(pictureBytes).get()?.['bytes']) : 0
  await spaceFor(statSync(from).size, pictures)
  // In one step: a copy that pauses starts over at every write of the running server. Only a
  // process that has the library to itself can report progress.
  await backup(source, to, {
    rate: progress ? step : 2 ** 31 - 1,
    progress: ({ totalPages, remainingPages }) =>
      progress?.('database', totalPages - remainingPages, totalPages),
  })
  // Closing it removes its write-ahead log.
  await using copy = openSqlite(to)
  return await summarize(copy)
}

/** SQL for the bytes of a PostgreSQL database's rows, without indexes. */
export const tableBytes = `SELECT COALESCE(SUM(pg_table_size(oid)), 0) FROM pg_class
  WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`

async function copyPostgres(
  url: string,
  to: string,
  spaceFor: SpaceCheck,
  progress: Options['progress'],
): Promise<DatabaseSummary> {
  await using database = await openPostgres(url)
  // Nobody knows how well the dump can be compressed.
  if ((await schemaOf(database)) >= picturesSince)
    await spaceFor(0, Number((await database.query(pictureBytes))[0]?.[0]))
  // The query waits for every table's lock, so run it only where progress is shown.
  const [size] = progress ? await database.query(tableBytes) : []
  const total = Number(size?.[0])
  // The dump is compressed, so it stays smaller than the tables.
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
  const files = await database.query(
    'SELECT collection, record, name, size FROM _files ORDER BY collection, record, name',
  )
  const pictures = files.map(([collection, record, name, size]) => ({
    key: [collection, record, name].join('/'),
    size: Number(size),
  }))
  return { schema, pictures }
}

/** @returns whether the library no longer names one of the pictures */
async function wereDeleted(
  { databaseUrl, dataDir }: Source,
  pictures: readonly string[],
): Promise<boolean> {
  if (!pictures.length) return false
  const named = new Set(await (databaseUrl ? namedInPostgres(databaseUrl) : namedInSqlite(dataDir)))
  return pictures.some((key) => !named.has(key))
}

async function namedInPostgres(url: string): Promise<string[]> {
  await using database = await openPostgres(url)
  return (await summarize(database)).pictures.map(({ key }) => key)
}

function namedInSqlite(dataDir: string): string[] {
  using database = new DatabaseSync(join(dataDir, 'octavo.db'), { readOnly: true, timeout: 5000 })
  const rows = database.prepare('SELECT collection, record, name FROM _files').all()
  return rows.map((file) => Object.values(file).join('/'))
}

/** Flushes a file, or the entries of a folder, to disk. */
async function sync(path: string): Promise<void> {
  if (process.platform === 'win32' && (await stat(path)).isDirectory()) return
  await using file = await open(path, 'r')
  await file.sync()
}
