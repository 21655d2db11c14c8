import { randomBytes } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { failureMessage } from '../runtime/failure.ts'
import { minSecretLength } from '../settings/setting-values.ts'

/** A reason not to start that the operator can fix; its message is one line. */
export class StartError extends Error {}

/** This file is in a data folder while a backup is being restored into it. */
export const unfinishedRestore = '.restoring'

/**
 * Creates the data folder if it is missing and locks it for this process until the process ends,
 * however it ends. A second process on the same files would break the order of writes.
 *
 * @throws StartError if it cannot be written, another process has it locked, or a restore into it
 *   was interrupted and this isn't a restore
 */
export function openDataFolder(folder: string, { restoring = false } = {}): Disposable {
  makeWritableFolder(folder, `The data folder ${folder}`)
  refuseForeign(folder)
  let lock: DatabaseSync
  try {
    const file = join(folder, 'octavo.lock')
    // Anyone who can read the file can lock it, so only the owner may.
    if (!existsSync(file)) writeFileSync(file, '', { flag: 'a', mode: 0o600 })
    // The operating system drops a SQLite lock with the process that holds it.
    lock = new DatabaseSync(file, { timeout: 0 })
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    if (failureMessage(error) === 'database is locked')
      throw new StartError(`Another Octavo is already running on the data folder ${folder}`)
    throw new StartError(`The data folder ${folder} cannot be locked: ${failureMessage(error)}`, {
      cause: error,
    })
  }
  if (!restoring && existsSync(join(folder, unfinishedRestore)))
    throw new StartError(`A restore into ${folder} was interrupted; run it again`)
  return { [Symbol.dispose]: () => lock.close() }
}

/** This file is in the data folder when the library is in PostgreSQL. */
const postgresMarker = 'uses-postgres'

/**
 * Notes in the data folder that its library is in PostgreSQL, so that a lost DATABASE_URL is
 * noticed. Otherwise an old `octavo.db` would be used as the library.
 *
 * @param databaseUrl its password is left out of the note
 */
export function markPostgresUsed(folder: string, databaseUrl: string): void {
  const { host, pathname } = new URL(databaseUrl.replace('@/', '@localhost/'))
  writeNote(join(folder, postgresMarker), `${host}${pathname}`)
}

/** Writes a note with today's date, unless it is there already. */
function writeNote(file: string, where: string): void {
  if (existsSync(file)) return
  const since = new Date().toISOString().slice(0, 10)
  const fresh = `${file}.new`
  writeFileSync(fresh, `${where}, since ${since}\n`, { mode: 0o600, flush: true })
  renameSync(fresh, file)
}

/** This file is in the data folder when its pictures are in a bucket. */
const bucketMarker = 'uses-bucket'

/**
 * Notes in the data folder that its pictures are in a bucket, so that lost S3 settings are noticed.
 * A folder that still has pictures gets no note: nobody moved them, or the bucket is only on trial.
 *
 * @returns whether the note is there
 */
export function markBucketUsed(
  folder: string,
  { bucket, endpoint }: { bucket: string; endpoint: string | undefined },
): boolean {
  const marker = join(folder, bucketMarker)
  if (!existsSync(marker) && hasPictures(folder)) return false
  writeNote(marker, endpoint ? `${bucket} at ${endpoint}` : bucket)
  return true
}

/** Removes the note: the pictures are in the data folder again. */
export function unmarkBucketUsed(folder: string): void {
  rmSync(join(folder, bucketMarker), { force: true })
}

/**
 * Refuses a data folder whose pictures are in a bucket that isn't configured. Otherwise readers
 * would miss their pictures, and new ones would go to the folder.
 *
 * @throws StartError
 */
export function requireKnownPictures({ dataDir, s3 }: { dataDir: string; s3: unknown }): void {
  const marker = join(dataDir, bucketMarker)
  if (s3 || !existsSync(marker)) return
  const used = readFileSync(marker, 'utf8').trim()
  throw new StartError(
    `The pictures of ${dataDir} are in a bucket (${used}): set S3_BUCKET and the settings that belong to it, or delete this file to keep pictures in the folder instead: ${marker}`,
  )
}

function hasPictures(folder: string): boolean {
  const pictures = join(folder, 'files')
  return isFolder(pictures) && readdirSync(pictures).length > 0
}

/** @returns where the library of a data folder is, and since when; undefined if not in PostgreSQL */
export function postgresUsed(folder: string): string | undefined {
  const marker = join(folder, postgresMarker)
  return existsSync(marker) ? readFileSync(marker, 'utf8').trim() : undefined
}

/** Removes the note: the library is in the data folder again. */
export function unmarkPostgresUsed(folder: string): void {
  rmSync(join(folder, postgresMarker), { force: true })
}

/**
 * Refuses a data folder whose `octavo.db` is not the library in use. Otherwise the wrong database
 * would be served or backed up.
 *
 * @throws StartError if the library is in PostgreSQL and DATABASE_URL is not set, or if `octavo.db`
 *   is missing or empty although there are uploaded pictures
 */
export function requireKnownDatabase({
  dataDir,
  databaseUrl,
}: {
  dataDir: string
  databaseUrl: string | undefined
}): void {
  if (databaseUrl) return
  const used = postgresUsed(dataDir)
  if (used !== undefined)
    throw new StartError(
      `The library of ${dataDir} is in PostgreSQL (${used}): set DATABASE_URL, or delete this file to use SQLite instead: ${join(dataDir, postgresMarker)}`,
    )
  const file = join(dataDir, 'octavo.db')
  const size = statSync(file, { throwIfNoEntry: false })?.size
  if (!size && hasPictures(dataDir))
    throw new StartError(
      `${file} is ${size === 0 ? 'empty' : 'missing'}, but the folder holds pictures: set DATABASE_URL if the library is in PostgreSQL, or restore a backup into an empty folder`,
    )
}

/** Files that are opened for writing, such as `octavo.db-wal`. */
const database = /^(?:octavo|catalogue|sources)\S*\.(?:db|lock)/

/** Folders for uploads, mails and covers; they hold only folders and files. */
const folders = ['files', 'mail', 'covers']

/**
 * @throws StartError if a database is a folder, or if anything Octavo writes to belongs to another
 *   account: otherwise the first write of a reader would fail
 */
function refuseForeign(folder: string): void {
  const { R_OK, W_OK, X_OK } = constants
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (database.test(name)) {
      if (isFolder(path))
        throw new StartError(`${path} is a folder where a file belongs: move it away`)
      refuseUnless(path, R_OK | W_OK)
    }
    if (!folders.includes(name) || !isFolder(path)) continue
    refuseUnless(path, R_OK | W_OK | X_OK)
    for (const entry of readdirSync(path, { withFileTypes: true }))
      if (entry.isDirectory()) refuseUnless(join(path, entry.name), R_OK | W_OK | X_OK)
  }
}

function refuseUnless(path: string, rights: number): void {
  try {
    accessSync(path, rights)
  } catch (error) {
    // Another Octavo, which has the folder locked, has just deleted it.
    if (!existsSync(path)) return
    throw new StartError(
      `The data folder's ${path} cannot be written (${failureMessage(error)}): everything in the folder must belong to the account that runs Octavo`,
    )
  }
}

/**
 * Creates a folder that is missing, as {@link makeFolder} does.
 *
 * @param called its name in the message
 * @throws StartError if this account can't write to it
 */
export function makeWritableFolder(folder: string, called = folder): void {
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK)
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException
    const isElse = code === 'EEXIST' || code === 'ENOTDIR'
    const why = isElse ? `${path} is a file, or a link to a missing folder` : failureMessage(error)
    throw new StartError(`${called} cannot be written: ${why}`, { cause: error })
  }
}

/**
 * Creates a folder and its parents, accessible only to the account that runs Octavo, as it holds
 * readers' data. Node's `recursive` option retries for ever where a system allows no folders, such
 * as /proc.
 */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return
  if (dirname(folder) !== folder) makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have been faster.
    if (!isFolder(folder)) throw error
  }
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** @returns a new data folder that is deleted when the process ends */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-demo-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * The key that signs sessions: the configured one, or one generated at the first start and kept in
 * the data folder, readable only by its owner.
 *
 * @throws StartError if the stored key cannot be read or is too short
 */
export function readSecret(folder: string, configured: string | undefined): string {
  if (configured) return configured
  const file = join(folder, 'secret')
  try {
    if (!existsSync(file)) makeSecret(file)
    const secret = readFileSync(file, 'utf8').trim()
    if (secret.length >= minSecretLength) return secret
  } catch (error) {
    throw new StartError(`The secret ${file} cannot be read: ${failureMessage(error)}`, {
      cause: error,
    })
  }
  throw new StartError(
    `The secret ${file} is damaged: restore it from a backup, or delete it, which signs everyone out`,
  )
}

/** Writes the file atomically and flushes it before anything is signed with the key. */
function makeSecret(file: string): void {
  const fresh = `${file}.new`
  const secret = randomBytes(48).toString('base64url')
  writeFileSync(fresh, `${secret}\n`, { mode: 0o600, flush: true })
  renameSync(fresh, file)
}
