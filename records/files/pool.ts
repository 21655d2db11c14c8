/** Work that is turned away because too much is waiting already. */
export class PoolFullError extends Error {
  override name = 'PoolFullError'
}

interface Waiting {
  weight: number
  start: () => void
}

/** Lets as much work be done at a time as there is room for; the rest waits for its turn. */
export class Pool {
  readonly #room: number
  readonly #waitingAtMost: number
  readonly #waiting: Waiting[] = []
  #taken = 0

  /** @param room what the weights of all running work may come to */
  constructor(room: number, waitingAtMost: number) {
    this.#room = room
    this.#waitingAtMost = waitingAtMost
  }

  /**
   * @param weight of the work; what is heavier than all the room is done alone
   * @throws PoolFullError if too many wait; else what the work throws
   */
  async run<T>(weight: number, work: () => Promise<T>): Promise<T> {
    if (this.#waiting.length >= this.#waitingAtMost) throw new PoolFullError('too many are waiting')
    const own = Math.min(weight, this.#room)
    await new Promise<void>((start) => {
      this.#waiting.push({ weight: own, start })
      this.#admit()
    })
    try {
      return await work()
    } finally {
      this.#taken -= own
      this.#admit()
    }
  }

  /** In order: a heavy piece is not passed over for ever by light ones. */
  #admit(): void {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      if (this.#taken + next.weight > this.#room) return
      this.#waiting.shift()
      this.#taken += next.weight
      next.start()
    }
  }
}
