import { DatabaseSync } from 'node:sqlite'
import { ImportError } from './dump-lines.ts'

/**
 * Locks a catalogue folder for this process until it unlocks it or ends. Concurrent imports would
 * delete each other's files.
 *
 * @param file an empty lock file, created if missing
 * @throws ImportError if another process has locked it
 */
export function lockFolder(file: string): { [Symbol.dispose](): void } {
  // The operating system drops a SQLite lock with the process that holds it.
  const lock = new DatabaseSync(file, { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (!(error instanceof Error) || error.message !== 'database is locked') throw error
    throw new ImportError(
      'Another command, or a server after an update, is building the catalogue in this folder. Wait until it has finished, or stop it.',
    )
  }
  return { [Symbol.dispose]: () => lock.close() }
}
