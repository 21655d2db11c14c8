import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { SlowError, type Row } from './database.ts'
import type { Value } from './slot.ts'

/** Threads at most; one processor is for the one that answers requests. */
const threads = Math.max(1, Math.min(4, availableParallelism() - 1))
/** Beyond so many that wait a new one is refused: it would take too long in any case. */
const mostWaiting = 200

/** What a thread is given to begin with. */
export interface ReaderData {
  file: string
  readAtMost: number
}

/** A statement on its way to a thread. */
export interface Question {
  text: string
  parameters: readonly Value[]
}

/** What comes back: rows, or why there are none. */
export type Reading = { rows: Row[] } | { error: string; isSlow: boolean }

interface Asked extends Question {
  resolve: (rows: Row[]) => void
  reject: (error: Error) => void
}

/**
 * Threads that read from a SQLite file what may take long, each with a connection of its own: the
 * thread that answers requests stays free for everybody else. The first is started when it is asked
 * something.
 */
export class Readers {
  readonly #data: ReaderData
  readonly #all = new Set<Worker>()
  readonly #free: Worker[] = []
  readonly #waiting: Asked[] = []

  constructor(data: ReaderData) {
    this.#data = data
  }

  /** @throws {@link SlowError} if it takes too long or too many wait, an Error with SQLite's words */
  query(text: string, parameters: readonly Value[] = []): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= mostWaiting)
        return reject(new SlowError(new Error('too many reads wait')))
      this.#waiting.push({ text, parameters, resolve, reject })
      this.#next()
    })
  }

  async close(): Promise<void> {
    for (const { reject } of this.#waiting.splice(0)) reject(new Error('the database was closed'))
    await Promise.all([...this.#all].map((worker) => worker.terminate()))
  }

  #next(): void {
    if (!this.#waiting.length) return
    const worker = this.#free.pop() ?? (this.#all.size < threads ? this.#open() : undefined)
    if (worker) this.#ask(worker, this.#waiting.shift()!)
  }

  #ask(worker: Worker, { text, parameters, resolve, reject }: Asked): void {
    const answered = (reading: Reading) => {
      worker.off('exit', stopped)
      // A process stays alive for a question, not for an idle thread.
      worker.unref()
      this.#free.push(worker)
      if ('rows' in reading) resolve(reading.rows)
      else if (reading.isSlow) reject(new SlowError(new Error(reading.error)))
      else reject(new Error(reading.error))
      this.#next()
    }
    const stopped = () => {
      reject(new Error('the thread that was reading has stopped'))
      this.#next()
    }
    worker.ref()
    worker.once('message', answered).once('exit', stopped)
    const question: Question = { text, parameters }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(question)
  }

  #open(): Worker {
    const worker = new Worker(new URL('./reader-worker.ts', import.meta.url), {
      workerData: this.#data,
      execArgv: [],
      env: {},
    })
    this.#all.add(worker)
    worker.on('error', (error: Error) => process.emitWarning(error))
    worker.on('exit', () => {
      this.#all.delete(worker)
      const at = this.#free.indexOf(worker)
      if (at >= 0) this.#free.splice(at, 1)
    })
    return worker
  }
}
