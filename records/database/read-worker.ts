import { getPriority, setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'
import { answerQuestions } from '#threads/answer-questions.ts'
import { QueryTimeoutError } from './database.ts'
import type { ReadJob, ReadWorkerData, ReadResult } from './read-pool.ts'
import { SqliteConnection } from './sqlite-connection.ts'

/** About every 3 steps halve a thread's share of a busy processor. */
const niceness = 5

/** Runs in a worker: answers one query after another; see ./read-pool.ts. */
function serve({ file, statementTimeout }: ReadWorkerData): void {
  // Only Linux has priorities per thread; elsewhere this would change the whole process's.
  if (process.platform === 'linux') setPriority(Math.max(getPriority(), niceness))
  const connection = new SqliteConnection(file, true, statementTimeout)
  const read = ({ text, parameters }: ReadJob): ReadResult => {
    try {
      return { rows: connection.query(text, parameters) }
    } catch (error) {
      return { error: String(error), isSlow: error instanceof QueryTimeoutError }
    }
  }
  answerQuestions(read)
}

serve(workerData as ReadWorkerData)
