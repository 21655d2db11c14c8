import { availableParallelism } from 'node:os'
import { QueryTimeoutError, type Row } from './database.ts'
import { currentBudget } from './request-budget.ts'
import type { Value } from './placeholder.ts'
import { Thread } from './thread.ts'

/**
 * The maximum number of threads. One processor is left for the thread that answers requests, but
 * there are always two, so that one client's long search doesn't keep everyone else waiting.
 */
export const threads = Math.max(2, Math.min(4, availableParallelism() - 1))

export interface ReadWorkerData {
  file: string
  statementTimeout: number
}

export interface ReadJob {
  text: string
  parameters: readonly Value[]
}

/** The rows or an error, and the CPU milliseconds the read took. */
export type ReadResult = { took: number } & ({ rows: Row[] } | { error: string; isSlow: boolean })

type ReadThread = Thread<ReadJob, ReadResult>

/**
 * Worker threads for slow reads from a SQLite file, each with its own connection, so that the
 * thread that answers requests stays free. Threads start on demand.
 */
export class ReadPool {
  readonly #data: ReadWorkerData
  readonly #all = new Set<ReadThread>()
  readonly #free: ReadThread[] = []

  constructor(data: ReadWorkerData) {
    this.#data = data
  }

  /**
   * Callers must not run more queries at a time than there are threads. The current request's
   * budget is charged.
   *
   * @throws {@link QueryTimeoutError} if it takes too long, or an Error with SQLite's message
   */
  async query(text: string, parameters: readonly Value[] = []): Promise<Row[]> {
    const thread = this.#free.pop() ?? this.#open()
    const reading = await thread.ask({ text, parameters })
    this.#free.push(thread)
    currentBudget()?.charge(reading.took)
    if ('rows' in reading) return reading.rows
    throw reading.isSlow
      ? new QueryTimeoutError(new Error(reading.error))
      : new Error(reading.error)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((thread) => thread.end()))
  }

  #open(): ReadThread {
    const thread: ReadThread = new Thread(
      new URL('./read-worker.ts', import.meta.url),
      this.#data,
      () => {
        this.#all.delete(thread)
        const at = this.#free.indexOf(thread)
        if (at >= 0) this.#free.splice(at, 1)
      },
    )
    this.#all.add(thread)
    return thread
  }
}
