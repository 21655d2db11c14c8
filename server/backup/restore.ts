import { existsSync, readdirSync } from 'node:fs'
import { copyFile, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openPostgres, type Connection } from '#records/index.ts'
import type { Config } from '../config.ts'
import { openDataFolder, unfinishedRestore } from '../data-folder.ts'
import { openStorage } from '../files.ts'
import { knownSchema } from '../migrations/migrate.ts'
import { databaseFile, readManifest, type Manifest } from './manifest.ts'
import { restorePostgres } from './postgres-tools.ts'
import { verifyBackup } from './verify.ts'

/**
 * Restores a backup into an empty data folder, and into an empty PostgreSQL database if it came
 * from one. An interrupted restore can be run again; until then Octavo doesn't start on the folder.
 *
 * @param folder a backup made by {@link backUp}
 * @throws before anything is written, if the backup is incomplete, damaged, newer than the code or
 *   of another kind of database, or if it would overwrite something
 */
export async function restore(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 's3'>,
  folder: string,
): Promise<Manifest> {
  const manifest = await readManifest(folder)
  refuseOther(config, manifest)
  const pictures = await verifyBackup(folder, manifest)
  const { dataDir, databaseUrl } = config
  const marker = join(dataDir, unfinishedRestore)
  const strangers = existsSync(dataDir) && !existsSync(marker) ? readdirSync(dataDir) : []
  if (strangers.some((name) => name !== 'octavo.lock' && name !== 'lost+found'))
    throw new Error(`${dataDir} is not empty: move it away, or set DATA_DIR to an empty folder`)
  if (databaseUrl) await refuseFullAt(databaseUrl)

  using _held = openDataFolder(dataDir, { restoring: true })
  await writeFile(marker, `${folder}\n`)
  const storage = openStorage(config)
  for (const key of pictures) await storage.put(key, await readFile(join(folder, 'files', key)))
  if (manifest.secret) await copyWhole(join(folder, 'secret'), join(dataDir, 'secret'))
  const database = join(folder, databaseFile[manifest.database])
  if (databaseUrl) await restorePostgres(databaseUrl, database)
  else await fillSqlite(database, join(dataDir, 'octavo.db'))
  await rm(marker)
  return manifest
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
