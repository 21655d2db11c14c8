import { existsSync, readdirSync, statSync } from 'node:fs'
import { copyFile, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openPostgres, openSqlite, query, type Connection, type Database } from '#records/index.ts'
import type { Config } from '../settings/config.ts'
import { openDataFolder, unfinishedRestore } from '../storage/data-folder.ts'
import { openStorage } from '../storage/files.ts'
import { withholdStatistics } from '../devices/device-files.ts'
import { deviceFiles } from '../migrations/0043-device-files.ts'
import { knownSchema } from '../migrations/migrate.ts'
import { failureMessage } from '../runtime/failure.ts'
import { databaseFile, isForbidden, readManifest, type Manifest } from './manifest.ts'
import { restorePostgres } from './postgres-tools.ts'
import { requireSpace } from './space.ts'
import { verifyBackup } from './verify.ts'

/**
 * Restores a backup into an empty data folder, and into an empty PostgreSQL database if it came
 * from one. An interrupted restore can be run again; until then Octavo doesn't start on the folder.
 *
 * @param folder a backup made by {@link backUp}
 * @throws before anything is written, if the backup is incomplete, damaged, newer than the code or
 *   of another kind of database, if this account may not read it, or if it would overwrite something
 *   or not fit
 */
export async function restore(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 's3'>,
  folder: string,
): Promise<Manifest> {
  const { manifest, pictures } = await readBackup(config, folder)
  const { dataDir, databaseUrl } = config
  const marker = join(dataDir, unfinishedRestore)
  const strangers = existsSync(dataDir) && !existsSync(marker) ? readdirSync(dataDir) : []
  if (strangers.some((name) => name !== 'octavo.lock' && name !== 'lost+found'))
    throw new Error(`${dataDir} is not empty: move it away, or set DATA_DIR to an empty folder`)
  if (databaseUrl) await refuseFullAt(databaseUrl)

  const database = join(folder, databaseFile[manifest.database])
  using _held = openDataFolder(dataDir, { restoring: true })
  // An interrupted restore has taken some of it already.
  if (!existsSync(marker)) {
    const bytes =
      (databaseUrl ? 0 : statSync(database).size) + (config.s3 ? 0 : manifest.pictures.bytes)
    await requireSpace(dataDir, bytes, 'the library')
  }
  await writeFile(marker, `${folder}\n`)
  const storage = openStorage(config)
  for (const key of pictures) await storage.put(key, await readFile(join(folder, 'files', key)))
  if (manifest.secret) await copyWhole(join(folder, 'secret'), join(dataDir, 'secret'))
  const file = join(dataDir, 'octavo.db')
  if (databaseUrl) await restorePostgres(databaseUrl, database)
  else await fillSqlite(database, file)
  await withhold(databaseUrl ? await openPostgres(databaseUrl) : openSqlite(file))
  await rm(marker)
  return manifest
}

/** @returns a verified backup's manifest, and the storage keys of its pictures */
async function readBackup(config: Pick<Config, 'databaseUrl'>, folder: string) {
  try {
    const manifest = await readManifest(folder)
    refuseOther(config, manifest)
    return { manifest, pictures: await verifyBackup(folder, manifest) }
  } catch (error) {
    if (!isForbidden(error)) throw error
    throw new Error(
      `this account may not read the backup (${failureMessage(error)}): run the command as the account that made it, or as root`,
      { cause: error },
    )
  }
}

function refuseOther({ databaseUrl }: Pick<Config, 'databaseUrl'>, manifest: Manifest): void {
  if (manifest.schema > knownSchema)
    throw new Error(
      `the backup was made by a newer Octavo (its schema is ${manifest.schema}, this version knows ${knownSchema})`,
    )
  if (manifest.database === 'postgres' && !databaseUrl)
    throw new Error('the backup holds a PostgreSQL database: set DATABASE_URL to an empty one')
  if (manifest.database === 'sqlite' && databaseUrl)
    throw new Error(
      'the backup holds a SQLite database: unset DATABASE_URL, and move it to PostgreSQL afterwards',
    )
}

/** Keeps back what devices mustn't get from an older state. A backup may be older than such files. */
async function withhold(opened: Database): Promise<void> {
  await using database = opened
  const [known] = await query(
    database,
    sql`SELECT 1 FROM _migrations WHERE name = ${deviceFiles.name}`,
  )
  if (known) await database.transaction((tx) => tx.query(withholdStatistics))
}

async function refuseFullAt(url: string): Promise<void> {
  await using database = await openPostgres(url)
  await requireEmpty(database)
}

/** @throws if a PostgreSQL database has any table already */
export async function requireEmpty(database: Connection): Promise<void> {
  const [row] = await database.query(
    `SELECT COUNT(*) FROM pg_tables WHERE schemaname = current_schema()`,
  )
  if (row?.[0]) throw new Error('the database at DATABASE_URL is not empty')
}

async function fillSqlite(from: string, to: string): Promise<void> {
  const temporary = `${to}.restoring`
  await copyWhole(from, temporary)
  await rename(temporary, to)
}

/** Copies a file, readable only by its owner and flushed to disk. */
async function copyWhole(from: string, to: string): Promise<void> {
  await copyFile(from, to)
  await using file = await open(to, 'r+')
  await file.chmod(0o600)
  await file.sync()
}
