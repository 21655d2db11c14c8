/** Work that is turned away because too much is waiting already. */
export class PoolFullError extends Error {
  override name = 'PoolFullError'
}

/** Lets a few things be done at a time; the others wait for their turn. */
export class Pool {
  readonly #atOnce: number
  readonly #waitingAtMost: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(atOnce: number, waitingAtMost: number) {
    this.#atOnce = atOnce
    this.#waitingAtMost = waitingAtMost
  }

  /** @throws PoolFullError if too many wait; else what the work throws */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#atOnce) {
      if (this.#waiting.length >= this.#waitingAtMost)
        throw new PoolFullError('too many are waiting')
      // The one that ends hands its place on, so nobody slips in between.
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else this.#running++
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}
