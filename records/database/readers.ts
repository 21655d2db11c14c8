import { availableParallelism } from 'node:os'
import { SlowError, type Row } from './database.ts'
import type { Value } from './slot.ts'
import { Thread } from './thread.ts'

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

type Reader = Thread<Question, Reading>

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
  readonly #all = new Set<Reader>()
  readonly #free: Reader[] = []
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
    await Promise.all([...this.#all].map((reader) => reader.end()))
  }

  #next(): void {
    if (!this.#waiting.length) return
    const reader = this.#free.pop() ?? (this.#all.size < threads ? this.#open() : undefined)
    if (reader) void this.#ask(reader, this.#waiting.shift()!)
  }

  async #ask(reader: Reader, { text, parameters, resolve, reject }: Asked): Promise<void> {
    try {
      const reading = await reader.ask({ text, parameters })
      this.#free.push(reader)
      if ('rows' in reading) resolve(reading.rows)
      else if (reading.isSlow) reject(new SlowError(new Error(reading.error)))
      else reject(new Error(reading.error))
    } catch (error) {
      reject(error as Error)
    }
    this.#next()
  }

  #open(): Reader {
    const reader: Reader = new Thread(
      new URL('./reader-worker.ts', import.meta.url),
      this.#data,
      () => {
        this.#all.delete(reader)
        const at = this.#free.indexOf(reader)
        if (at >= 0) this.#free.splice(at, 1)
      },
    )
    this.#all.add(reader)
    return reader
  }
}
