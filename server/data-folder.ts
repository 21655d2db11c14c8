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

/** A reason not to start that the operator can mend; its message is one readable line. */
export class StartError extends Error {}

/** Is in a data folder while a backup is being put into it. */
export const unfinishedRestore = '.restoring'

/**
 * Makes the data folder if it is not there and holds it for this process alone, until the process
 * ends however it ends: a second process on the same files would break the order of writes.
 *
 * @throws StartError if it cannot be written, another process holds it, or a restore into it was
 *   interrupted, unless this is another try
 */
export function openDataFolder(folder: string, { restoring = false } = {}): Disposable {
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK)
  } catch (error) {
    const isElse = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    const why = isElse ? 'it is a file, or a link to a missing folder' : reason(error)
    throw new StartError(`The data folder ${folder} cannot be written: ${why}`, { cause: error })
  }
  refuseForeign(folder)
  let lock: DatabaseSync
  try {
    const file = join(folder, 'octavo.lock')
    // Whoever can read it can hold it.
    if (!existsSync(file)) writeFileSync(file, '', { flag: 'a', mode: 0o600 })
    // The operating system drops a SQLite lock with the process that holds it.
    lock = new DatabaseSync(file, { timeout: 0 })
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    if (reason(error) === 'database is locked')
      throw new StartError(`Another Octavo is already running on the data folder ${folder}`)
    throw new StartError(`The data folder ${folder} cannot be locked: ${reason(error)}`, {
      cause: error,
    })
  }
  if (!restoring && existsSync(join(folder, unfinishedRestore)))
    throw new StartError(`A restore into ${folder} was interrupted; run it again`)
  return { [Symbol.dispose]: () => lock.close() }
}

/** Is in the data folder of a library that is in PostgreSQL. */
const postgresMarker = 'uses-postgres'

/**
 * Notes in the data folder that its library is in PostgreSQL, so that a lost DATABASE_URL is found
 * out. What `octavo.db` holds from before would otherwise be taken for the library.
 *
 * @param databaseUrl its password is left out of the note
 */
export function markPostgresUsed(folder: string, databaseUrl: string): void {
  const marker = join(folder, postgresMarker)
  if (existsSync(marker)) return
  const { host, pathname } = new URL(databaseUrl.replace('@/', '@localhost/'))
  const since = new Date().toISOString().slice(0, 10)
  const fresh = `${marker}.new`
  writeFileSync(fresh, `${host}${pathname}, since ${since}\n`, { mode: 0o600, flush: true })
  renameSync(fresh, marker)
}

/** @returns where the library of a data folder is, and since when; undefined if not in PostgreSQL */
export function postgresUsed(folder: string): string | undefined {
  const marker = join(folder, postgresMarker)
  return existsSync(marker) ? readFileSync(marker, 'utf8').trim() : undefined
}

/** The library is in the data folder again. */
export function unmarkPostgresUsed(folder: string): void {
  rmSync(join(folder, postgresMarker), { force: true })
}

/**
 * Refuses a data folder whose `octavo.db` is not the library that readers know: another database
 * would be served, or backed up, in its place.
 *
 * @throws StartError if the library is in PostgreSQL and DATABASE_URL is not set, or if `octavo.db`
 *   is missing or empty beside uploaded pictures
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
  const pictures = join(dataDir, 'files')
  if (!size && isFolder(pictures) && readdirSync(pictures).length > 0)
    throw new StartError(
      `${file} is ${size === 0 ? 'empty' : 'missing'}, but the folder holds pictures: set DATABASE_URL if the library is in PostgreSQL, or restore a backup into an empty folder`,
    )
}

/** What is opened to be written, such as `octavo.db-wal`. */
const database = /^(?:octavo|catalogue|sources)\S*\.(?:db|lock)/

/** Folders that hold what readers upload, their mails and covers; below them are only folders and files. */
const folders = ['files', 'mail', 'covers']

/**
 * @throws StartError if what is written to is another account's, which the first reader would find
 *   out, or a database is a folder
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
    // Another Octavo, which holds the folder, has done with it.
    if (!existsSync(path)) return
    throw new StartError(
      `The data folder's ${path} cannot be written (${reason(error)}): everything in the folder must belong to the account that runs Octavo`,
    )
  }
}

/**
 * Makes a folder, and those above it, for the account that runs Octavo alone: what readers keep is
 * in it. Node's own way to make several tries for ever where a system has no room for any: /proc.
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

/** @returns a new data folder that is gone when the process ends */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-demo-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Characters of the key that signs sessions, at least. */
export const minSecretLength = 32

/**
 * The key that signs sessions: the configured one, or one made at the first start and kept beside
 * the data, readable by its owner alone.
 *
 * @throws StartError if the one that is kept cannot be read, or is none
 */
export function readSecret(folder: string, configured: string | undefined): string {
  if (configured) return configured
  const file = join(folder, 'secret')
  try {
    if (!existsSync(file)) makeSecret(file)
    const secret = readFileSync(file, 'utf8').trim()
    if (secret.length >= minSecretLength) return secret
  } catch (error) {
    throw new StartError(`The secret ${file} cannot be read: ${reason(error)}`, { cause: error })
  }
  throw new StartError(
    `The secret ${file} is damaged: restore it from a backup, or delete it, which signs everyone out`,
  )
}

/** Whole or not at all, and on disk before anything is signed with it. */
function makeSecret(file: string): void {
  const fresh = `${file}.new`
  const secret = randomBytes(48).toString('base64url')
  writeFileSync(fresh, `${secret}\n`, { mode: 0o600, flush: true })
  renameSync(fresh, file)
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
