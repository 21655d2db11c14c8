/** Thrown for work that is refused because too much is waiting already. */
export class SemaphoreFullError extends Error {
  override name = 'SemaphoreFullError'
}

interface Waiting {
  weight: number
  start: () => void
}

/**
 * Runs as much work at a time as its capacity allows; further work waits in order. Hashing passwords
 * and shrinking pictures take memory, which stays level this way (R23).
 */
export class Semaphore {
  readonly #capacity: number
  readonly #maxWaiting: number
  readonly #waiting: Waiting[] = []
  #used = 0

  /** @param capacity the maximum total weight of running work */
  constructor(capacity: number, maxWaiting: number) {
    this.#capacity = capacity
    this.#maxWaiting = maxWaiting
  }

  /**
   * @param weight of the work; work heavier than the capacity runs alone
   * @throws SemaphoreFullError if too much is waiting, or what the work throws
   */
  async run<T>(weight: number, work: () => Promise<T>): Promise<T> {
    if (this.#waiting.length >= this.#maxWaiting)
      throw new SemaphoreFullError('too many are waiting')
    const own = Math.min(weight, this.#capacity)
    await new Promise<void>((start) => {
      this.#waiting.push({ weight: own, start })
      this.#admit()
    })
    try {
      return await work()
    } finally {
      this.#used -= own
      this.#admit()
    }
  }

  /** In order, so that light work can't keep passing heavy work. */
  #admit(): void {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      if (this.#used + next.weight > this.#capacity) return
      this.#waiting.shift()
      this.#used += next.weight
      next.start()
    }
  }
}
