import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { Errand } from './checkpoints.ts'

/** Pages that may be left for when nobody writes, and how often it is tried to have so few. */
const few = 64
const rounds = 8

/** Only in a worker: copies the log of the database whose path it was given; see ./checkpoints.ts. */
function serve(file: string): void {
  const db = new DatabaseSync(file)
  db.exec('PRAGMA synchronous = FULL')
  const checkpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)')
  const progress = db.prepare('PRAGMA wal_checkpoint(NOOP)')
  const left = () => {
    const { log, checkpointed } = progress.get() ?? {}
    return Number(log) - Number(checkpointed)
  }
  const copy = (errand: Errand): boolean => {
    try {
      // While it copies more is written, each time less.
      for (let round = 0; round < (errand === 'copy' ? rounds : 1); round++) {
        checkpoint.get()
        if (left() <= few) return true
      }
      return true
    } catch {
      // Such as for a full disk: what is committed stays in the log.
      return false
    }
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.on('message', (errand: Errand) => parentPort?.postMessage(copy(errand)))
}

serve(String(workerData))
