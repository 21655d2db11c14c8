import type { Dialect } from '../database/database.ts'

/** Writes of one account: how many run, whether it is one that runs alone, and who waits. */
interface Line {
  running: number
  isAlone: boolean
  waiting: Waiting[]
}

interface Waiting {
  alone: boolean
  start: () => void
}

/**
 * The turns that one account's writes take. Those of many records (batches, what is deleted with all
 * that hangs on it) lock rows in whatever order they come, so they run alone: on PostgreSQL they and
 * the account's other writes would else block each other until one of them is given up, a second
 * later. They wait before they have a connection, which others need meanwhile.
 *
 * This is for the account's writes in one process. Those in others are left to the database, and so
 * is everything on SQLite, which writes one after the other.
 */
export class Turns {
  readonly #isNeeded: boolean
  readonly #lines = new Map<string, Line>()

  constructor({ name }: Pick<Dialect, 'name'>) {
    this.#isNeeded = name === 'postgres'
  }

  /** Does the work beside others of the account; of a visitor (no account) at once. */
  beside<T>(account: string | undefined, work: () => Promise<T>): Promise<T> {
    return this.#take(account, false, work)
  }

  /**
   * Does the work while nothing else of the account is done; of a visitor at once.
   *
   * @param signal ends the waiting, not the work
   * @throws the signal's reason, or what the work throws
   */
  alone<T>(account: string | undefined, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#take(account, true, work, signal)
  }

  async #take<T>(
    account: string | undefined,
    alone: boolean,
    work: () => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    if (!this.#isNeeded || !account) return work()
    signal?.throwIfAborted()
    const line = this.#lines.get(account) ?? { running: 0, isAlone: false, waiting: [] }
    this.#lines.set(account, line)
    await this.#turn(line, alone, signal)
    try {
      return await work()
    } finally {
      line.running--
      line.isAlone = false
      this.#next(line)
      if (!line.running && !line.waiting.length) this.#lines.delete(account)
    }
  }

  #turn(line: Line, alone: boolean, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const give = () => {
        line.waiting = line.waiting.filter((one) => one !== waiting)
        this.#next(line)
        reject(signal?.reason as Error)
      }
      const waiting = {
        alone,
        start: () => {
          signal?.removeEventListener('abort', give)
          resolve()
        },
      }
      signal?.addEventListener('abort', give, { once: true })
      line.waiting.push(waiting)
      this.#next(line)
    })
  }

  /** First come, first served: whoever is to be alone is not overtaken by those that could go. */
  #next(line: Line): void {
    for (let [first] = line.waiting; first; [first] = line.waiting) {
      if (line.isAlone || (first.alone && line.running)) return
      line.waiting.shift()
      line.running++
      line.isAlone = first.alone
      first.start()
    }
  }
}
