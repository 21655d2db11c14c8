import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** SQLite's numbers for "malformed" and "not a database"; the bytes above say in which part. */
const damage = new Set([11, 26])

/**
 * Opens a file whose content can be had again from elsewhere. One that is damaged is put aside as
 * `<file>.damaged`, and a new one takes its place.
 *
 * @param prepare brings the file to its form; called again for a new one
 * @param timeout milliseconds to wait for another process that holds the file
 * @throws when the folder cannot be written
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
  // What is looked for and learnt here is for the owner of the process alone.
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
