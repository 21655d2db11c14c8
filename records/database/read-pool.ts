import { availableParallelism } from 'node:os'
import { openThreadPool, type ThreadPool } from '#threads/pool.ts'
import { QueryTimeoutError, type Row } from './database.ts'
import { currentBudget } from './request-budget.ts'
import type { Value } from './placeholder.ts'

/**
 * The maximum number of threads. One processor is left for the thread that answers requests, but
 * there are always two, so that one client's long search doesn't keep everyone else waiting.
 */
export const threads = Math.max(2, Math.min(4, availableParallelism() - 1))

/** Milliseconds after which an idle thread of a database ends, to free its memory. */
export const threadIdle = 30_000

export interface ReadWorkerData {
  file: string
  statementTimeout: number
}

export interface ReadJob {
  text: string
  parameters: readonly Value[]
}

/** A read's rows or error. */
export type ReadResult = { rows: Row[] } | { error: string; isSlow: boolean }

/**
 * Worker threads for slow reads from a SQLite file, each with its own connection, so that the
 * thread that answers requests stays free. Threads start on demand.
 */
export class ReadPool {
  readonly #pool: ThreadPool<ReadJob, ReadResult>

  constructor(data: ReadWorkerData) {
    const script = new URL('./read-worker.ts', import.meta.url)
    this.#pool = openThreadPool({ script, data, size: threads, idle: threadIdle })
  }

  /**
   * Callers must not run more queries at a time than there are threads. The current request's
   * budget is charged.
   *
   * @throws {@link QueryTimeoutError} if it takes too long, or an Error with SQLite's message
   */
  async query(text: string, parameters: readonly Value[] = []): Promise<Row[]> {
    const budget = currentBudget()
    const reading = await this.#pool.ask({ text, parameters }, (took) => budget?.charge(took))
    if ('rows' in reading) return reading.rows
    throw reading.isSlow
      ? new QueryTimeoutError(new Error(reading.error))
      : new Error(reading.error)
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}
