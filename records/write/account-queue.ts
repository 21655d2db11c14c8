import type { Dialect } from '../database/database.ts'

/** The writes of one account: how many run, whether one of them is exclusive, and which wait. */
interface Queue {
  running: number
  isExclusive: boolean
  waiting: Waiting[]
}

interface Waiting {
  isExclusive: boolean
  start: () => void
}

/**
 * A lock for each account's writes. Writes of many records (batches, deletes with their dependants,
 * further writes by hooks) lock rows in any order, so they're exclusive: on PostgreSQL they would
 * otherwise deadlock with the account's other writes until the database aborts one of them, a
 * second later. Writes wait before they take a connection, which others could use.
 *
 * It covers one process. The database handles writes of other processes, and everything on SQLite,
 * which runs one write after another.
 */
export class AccountQueue {
  readonly #isNeeded: boolean
  readonly #queues = new Map<string, Queue>()

  constructor({ name }: Pick<Dialect, 'name'>) {
    this.#isNeeded = name === 'postgres'
  }

  /** Runs the work alongside other shared work of the account; a visitor's (no account) at once. */
  shared<T>(account: string | undefined, work: () => Promise<T>): Promise<T> {
    return this.#run(account, false, work)
  }

  /**
   * Runs the work while no other work of the account runs; a visitor's at once.
   *
   * @param signal ends the waiting, not the work
   * @throws the signal's reason, or what the work throws
   */
  exclusive<T>(
    account: string | undefined,
    work: () => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    return this.#run(account, true, work, signal)
  }

  async #run<T>(
    account: string | undefined,
    isExclusive: boolean,
    work: () => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    if (!this.#isNeeded || !account) return work()
    signal?.throwIfAborted()
    const queue = this.#queues.get(account) ?? { running: 0, isExclusive: false, waiting: [] }
    this.#queues.set(account, queue)
    await this.#wait(queue, isExclusive, signal)
    try {
      return await work()
    } finally {
      queue.running--
      queue.isExclusive = false
      this.#next(queue)
      if (!queue.running && !queue.waiting.length) this.#queues.delete(account)
    }
  }

  #wait(queue: Queue, isExclusive: boolean, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const give = () => {
        queue.waiting = queue.waiting.filter((one) => one !== waiting)
        this.#next(queue)
        reject(signal?.reason as Error)
      }
      const waiting = {
        isExclusive,
        start: () => {
          signal?.removeEventListener('abort', give)
          resolve()
        },
      }
      signal?.addEventListener('abort', give, { once: true })
      queue.waiting.push(waiting)
      this.#next(queue)
    })
  }

  /** First come, first served: shared work does not overtake exclusive work that waits. */
  #next(queue: Queue): void {
    for (let [first] = queue.waiting; first; [first] = queue.waiting) {
      if (queue.isExclusive || (first.isExclusive && queue.running)) return
      queue.waiting.shift()
      queue.running++
      queue.isExclusive = first.isExclusive
      first.start()
    }
  }
}
