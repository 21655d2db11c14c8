import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '#records/index.ts'
import type { Config } from '../settings/config.ts'
import { makeFolder, StartError } from '../storage/data-folder.ts'
import { isDiskFull, failureMessage } from '../runtime/failure.ts'
import { backUp, tableBytes } from './back-up.ts'
import { manifestFile, readManifest, type Manifest } from './manifest.ts'
import { canLink, requireSpace } from './space.ts'
import { removeUnfinished } from './unfinished.ts'

/** How many backups are kept, each of another schema. */
const maxKept = 3

/** Bytes to leave free for the upgrade itself. */
const spare = 64 * 1_048_576

/** Names of backups made by an upgrade; nothing else in the folder is ever deleted. */
const named = /^octavo-before-schema-(\d+)-(\d{8}T\d{6})Z$/

const upgradeBackups = (dataDir: string): string => join(dataDir, 'backups')

/**
 * Backs up a library before its upgrade and deletes older ones: three are kept, only the newest of
 * each schema, so that a start that keeps failing doesn't push the others out.
 *
 * @param database open, of an older schema
 * @param to the new schema
 * @param progress as for {@link backUp}
 * @returns the folder of the backup, and its manifest
 * @throws StartError that says what to do if it can't be made; then nothing has changed
 */
export async function backUpBeforeUpgrade(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 's3'>,
  database: Database,
  to: number,
  progress?: (step: 'database' | 'pictures', done: number, total: number) => void,
): Promise<{ folder: string; manifest: Manifest }> {
  const into = upgradeBackups(config.dataDir)
  try {
    makeFolder(into)
    // Leftovers of a killed start must not take this one's space.
    await removeUnfinished(into)
    await requireSpace(into, await spaceNeeded(database, config, into), 'it and the upgrade')
    const made = { reason: `before-schema-${to}`, linked: true, ...(progress && { progress }) }
    const backup = await backUp(config, into, made)
    await removeOlder(into, backup.folder, backup.manifest.schema)
    return backup
  } catch (error) {
    const why = isDiskFull(error)
      ? `there is no room for it in ${into}`
      : failureMessage(error, [into])
    const advice = why.startsWith('pg_dump')
      ? `install PostgreSQL's client programs (postgresql-client) of the server's version`
      : 'fix that'
    // Without the cause, which is in the message.
    throw new StartError(
      `The backup before the library's upgrade failed: ${why}. Nothing was changed. To do: ${advice}, or make a backup yourself and start once with BACKUP_BEFORE_UPGRADE=off`,
    )
  }
}

/**
 * Bytes that the backup and the upgrade take at most. On SQLite a step may write every page again,
 * next to the log of the one before; PostgreSQL does so on its own disk.
 */
async function spaceNeeded(
  database: Database,
  { s3, dataDir }: Pick<Config, 's3' | 'dataDir'>,
  into: string,
): Promise<number> {
  const isSqlite = database.dialect.name === 'sqlite'
  const file = 'SELECT page_count * page_size FROM pragma_page_count, pragma_page_size'
  const [row] = await database.query(isSqlite ? file : tableBytes)
  const own = Number(row?.[0]) * (isSqlite ? 2 : 1) + spare
  if (!s3 && canLink(dataDir, into)) return own
  const [pictures] = await database.query('SELECT COALESCE(SUM(size), 0) FROM _files')
  return own + Number(pictures?.[0])
}

/** @param newest the backup that was just made, of this schema */
async function removeOlder(into: string, newest: string, schema: number): Promise<void> {
  const others = (await readdir(into)).filter(
    (name) => named.test(name) && join(into, name) !== newest,
  )
  const schemas = new Set([schema])
  for (const name of others.toSorted(newestFirst)) {
    const own = await schemaIn(join(into, name))
    // One that can't be read may be whole, so it stays.
    if (own === undefined) continue
    if (schemas.has(own) || schemas.size >= maxKept)
      // One that belongs to another account stays.
      await rm(join(into, name), { recursive: true, force: true }).catch(() => undefined)
    else schemas.add(own)
  }
}

/** By the time in their names, then by the schema. */
function newestFirst(a: string, b: string): number {
  const [[, toA = '', timeA = ''], [, toB = '', timeB = '']] = [named.exec(a)!, named.exec(b)!]
  return timeB.localeCompare(timeA) || Number(toB) - Number(toA)
}

/** @returns undefined if the manifest can't be read, and NaN if there is none */
async function schemaIn(backup: string): Promise<number | undefined> {
  if (!existsSync(join(backup, manifestFile))) return Number.NaN
  const manifest = await readManifest(backup).catch(() => undefined)
  return manifest?.schema
}
