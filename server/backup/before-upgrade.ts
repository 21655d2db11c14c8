import { existsSync } from 'node:fs'
import { readdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '#records/index.ts'
import type { Config } from '../config.ts'
import { makeFolder, StartError } from '../data-folder.ts'
import { isDiskFull, failureMessage } from '../failure.ts'
import { backUp, tableBytes } from './back-up.ts'
import { manifestFile, readManifest } from './manifest.ts'
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
 * @returns the folder of the backup
 * @throws StartError that says what to do if it can't be made; then nothing has changed
 */
export async function backUpBeforeUpgrade(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 's3'>,
  database: Database,
  to: number,
  progress?: (step: 'database' | 'pictures', done: number, total: number) => void,
): Promise<string> {
  const into = upgradeBackups(config.dataDir)
  try {
    makeFolder(into)
    // Leftovers of a killed start must not take this one's space.
    await removeUnfinished(into)
    await refuseLittleRoom(config, database, into)
    const made = { reason: `before-schema-${to}`, linked: true, ...(progress && { progress }) }
    const { folder, manifest } = await backUp(config, into, made)
    await removeOlder(into, folder, manifest.schema)
    return folder
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

async function refuseLittleRoom(
  config: Pick<Config, 's3'>,
  database: Database,
  into: string,
): Promise<void> {
  const needed = (await sizeOf(database, config)) + spare
  const { bavail, bsize } = await statfs(into)
  if (bavail * bsize >= needed) return
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`
  throw new Error(
    `the backup may take ${megabytes(needed)}, and ${into} has room for ${megabytes(bavail * bsize)}`,
  )
}

/** @returns the bytes that a backup takes at most, including pictures that must be copied */
async function sizeOf(database: Database, { s3 }: Pick<Config, 's3'>): Promise<number> {
  const file = 'SELECT page_count * page_size FROM pragma_page_count, pragma_page_size'
  const [row] = await database.query(database.dialect.name === 'sqlite' ? file : tableBytes)
  if (!s3) return Number(row?.[0])
  const [pictures] = await database.query('SELECT COALESCE(SUM(size), 0) FROM _files')
  return Number(row?.[0]) + Number(pictures?.[0])
}

/** @param newest the backup that was just made, of this schema */
async function removeOlder(into: string, newest: string, schema: number): Promise<void> {
  const others = (await readdir(into)).filter(
    (name) => named.test(name) && join(into, name) !== newest,
  )
  const schemas = new Set([schema])
  for (const name of others.toSorted(newestFirst)) {
    const own = await schemaIn(join(into, name))
    if (schemas.has(own) || schemas.size >= maxKept)
      await rm(join(into, name), { recursive: true, force: true })
    else schemas.add(own)
  }
}

/** By the time in their names, then by the schema. */
function newestFirst(a: string, b: string): number {
  const [[, toA = '', timeA = ''], [, toB = '', timeB = '']] = [named.exec(a)!, named.exec(b)!]
  return timeB.localeCompare(timeA) || Number(toB) - Number(toA)
}

async function schemaIn(backup: string): Promise<number> {
  if (!existsSync(join(backup, manifestFile))) return Number.NaN
  return (await readManifest(backup)).schema
}
