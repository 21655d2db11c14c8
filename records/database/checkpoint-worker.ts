import { parentPort, workerData } from 'node:worker_threads'
import { SqliteConnection } from './sqlite-connection.ts'

/** Pages that may be left for when nobody writes, and how often it is tried to have so few. */
const few = 64
const rounds = 8

/** Only in a worker: copies the log of the database whose path it was given; see ./checkpoints.ts. */
function serve(file: string): void {
  const connection = new SqliteConnection(file, false)
  const copy = (): boolean => {
    try {
      // While it copies more may be written, each time less.
      let round = 0
      do connection.query('PRAGMA wal_checkpoint(PASSIVE)')
      while (connection.uncopied > few && ++round < rounds)
      return true
    } catch {
      // Such as for a full disk: what is committed stays in the log.
      return false
    }
  }
  parentPort?.on('message', () => parentPort?.postMessage(copy()))
}

serve(String(workerData))
