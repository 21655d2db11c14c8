import { workerData } from 'node:worker_threads'
import { answerQuestions } from '#threads/answer-questions.ts'
import { SqliteConnection } from './sqlite-connection.ts'

/**
 * Pages that may be left for the last step, when writes wait, and attempts to get down to so few.
 */
const few = 64
const rounds = 8

/** Runs in a worker: checkpoints the database whose path it is given; see ./checkpoints.ts. */
function serve(file: string): void {
  const connection = new SqliteConnection(file, false)
  const copy = (): boolean => {
    try {
      // Writes go on during a checkpoint, so repeat it; each round has less to copy.
      let round = 0
      do connection.query('PRAGMA wal_checkpoint(PASSIVE)')
      while (connection.uncopied > few && ++round < rounds)
      return true
    } catch {
      // Such as a full disk. Committed data stays in the log.
      return false
    }
  }
  answerQuestions(copy)
}

serve(String(workerData))
