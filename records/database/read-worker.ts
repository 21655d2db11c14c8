import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { QueryTimeoutError } from './database.ts'
import type { ReadJob, ReadWorkerData, ReadResult } from './read-pool.ts'
import { SqliteConnection } from './sqlite-connection.ts'

/** Each 3 steps are about half the share of a processor that several want. */
const niceness = 5

/** Only in a worker: answers one question after the other; see ./read-pool.ts. */
function serve({ file, statementTimeout }: ReadWorkerData): void {
  // On Linux a thread has a priority of its own; elsewhere this would be that of the whole process.
  if (process.platform === 'linux') setPriority(niceness)
  const connection = new SqliteConnection(file, true, statementTimeout)
  const read = ({ text, parameters }: ReadJob): ReadResult => {
    const start = process.threadCpuUsage()
    const took = () => {
      const { user, system } = process.threadCpuUsage(start)
      return (user + system) / 1000
    }
    try {
      return { rows: connection.query(text, parameters), took: took() }
    } catch (error) {
      return { error: String(error), isSlow: error instanceof QueryTimeoutError, took: took() }
    }
  }
  parentPort?.on('message', (question: ReadJob) => parentPort?.postMessage(read(question)))
}

serve(workerData as ReadWorkerData)
