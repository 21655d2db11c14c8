import { availableParallelism } from 'node:os'
import { QueryTimeoutError, type Row } from './database.ts'
import { currentBudget } from './request-budget.ts'
import type { Value } from './placeholder.ts'
import { Thread } from './thread.ts'

/**
 * Threads at most; one processor is for the one that answers requests. There are two in any case, so
 * that nobody waits until one client's long search has ended.
 */
export const threads = Math.max(2, Math.min(4, availableParallelism() - 1))

export interface ReadWorkerData {
  file: string
  statementTimeout: number
}

/** A statement on its way to a thread. */
export interface ReadJob {
  text: string
  parameters: readonly Value[]
}

/** What comes back: rows, or why there are none, and the milliseconds of a processor it took. */
export type ReadResult = { took: number } & ({ rows: Row[] } | { error: string; isSlow: boolean })

type ReadThread = Thread<ReadJob, ReadResult>

/**
 * Threads that read from a SQLite file what may take long, each with a connection of its own: the
 * thread that answers requests stays free for everybody else. The first is started when it is asked
 * something.
 */
export class ReadPool {
  readonly #data: ReadWorkerData
  readonly #all = new Set<ReadThread>()
  readonly #free: ReadThread[] = []

  constructor(data: ReadWorkerData) {
    this.#data = data
  }

  /**
   * To be asked as much at a time as there are threads; whoever pays is charged for what it took.
   *
   * @throws {@link QueryTimeoutError} if it takes too long, an Error with SQLite's words
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
