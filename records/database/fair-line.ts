import { BusyError, SlowError } from './database.ts'

/** What one client may have waiting, and all of them: what is more would take too long in any case. */
const waitingAtMost = { each: 50, all: 500 }

interface Waiting {
  start: () => void
  reject: (error: Error) => void
}

/**
 * A few places for what takes long. Whoever asks for much waits behind their own: of those who wait
 * each asker has one turn after the other, however many turns somebody else would like.
 */
export class FairLine {
  readonly #places: number
  readonly #lanes = new Map<string, Waiting[]>()
  /** What the process itself wants done, and whether it had the last turn. */
  readonly #own: Waiting[] = []
  #wasOwn = false
  #running = 0
  #waiting = 0

  /** @param places how many run at the same time */
  constructor(places: number) {
    this.#places = places
  }

  /**
   * @param asker who it is for; '' are those whom nothing tells apart, who have no limit of their
   *   own; null is the process itself, which is never refused and has every other turn
   * @throws {@link BusyError} if the asker has too much waiting, {@link SlowError} if all together
   *   have, or what the work throws
   */
  async take<T>(asker: string | null, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#places) this.#running++
    else await this.#turn(asker)
    try {
      return await work()
    } finally {
      this.#next()
    }
  }

  /** Nobody who waits has a turn any more. */
  close(): void {
    const waiting = [...this.#lanes.values(), this.#own.splice(0)].flat()
    this.#lanes.clear()
    this.#waiting = 0
    for (const { reject } of waiting) reject(new Error('the database was closed'))
  }

  #turn(asker: string | null): Promise<void> {
    if (asker === null)
      return new Promise((resolve, reject) => this.#own.push({ start: resolve, reject }))
    const lane = this.#lanes.get(asker) ?? []
    return new Promise<void>((resolve, reject) => {
      if (asker && lane.length >= waitingAtMost.each) return reject(new BusyError())
      if (this.#waiting >= waitingAtMost.all)
        return reject(new SlowError(new Error('too many reads wait')))
      lane.push({ start: resolve, reject })
      this.#lanes.set(asker, lane)
      this.#waiting++
    })
  }

  /** The place goes straight to the process, or to the lane that has waited longest for a turn. */
  #next(): void {
    this.#wasOwn = this.#own.length > 0 && !(this.#wasOwn && this.#lanes.size)
    if (this.#wasOwn) return this.#own.shift()!.start()
    const [first] = this.#lanes
    if (!first) return void this.#running--
    const [asker, lane] = first
    const next = lane.shift()
    this.#waiting--
    this.#lanes.delete(asker)
    if (lane.length) this.#lanes.set(asker, lane)
    next?.start()
  }
}
