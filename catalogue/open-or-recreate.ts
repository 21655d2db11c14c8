import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** SQLite's codes for "malformed" and "not a database"; higher bytes hold the extended code. */
const damage = new Set([11, 26])

/**
 * Opens a database whose content can be restored from elsewhere. A damaged file is renamed to
 * `<file>.damaged` and replaced with a new one.
 *
 * @param prepare creates or upgrades the schema; called again for a new file
 * @param timeout milliseconds to wait for another process's lock
 * @throws if the folder can't be written
 */
export function openOrRecreate(
  file: string,
  prepare: (db: DatabaseSync) => void,
  timeout: number,
): DatabaseSync {
  try {
    return open(file, prepare, timeout)
  } catch (error) {
    if (!isDamage(error)) throw error
    renameSync(file, `${file}.damaged`)
    for (const rest of ['-wal', '-shm']) rmSync(file + rest, { force: true })
    return open(file, prepare, timeout)
  }
}

function open(file: string, prepare: (db: DatabaseSync) => void, timeout: number): DatabaseSync {
  // Readable only by the owner, as it reveals searches.
  if (!existsSync(file)) writeFileSync(file, '', { flag: 'a', mode: 0o600 })
  const db = new DatabaseSync(file, { timeout })
  try {
    db.exec('PRAGMA journal_mode = WAL')
    prepare(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function isDamage(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && damage.has(Number(error.errcode) & 255)
}
