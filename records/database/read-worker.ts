import { getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
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
