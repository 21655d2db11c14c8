import { TooManyReadsError, QueryTimeoutError } from './database.ts'

/** Reads that may wait, per client and in total. Any more would time out anyway. */
const maxWaiting = { each: 50, all: 500 }

interface Waiting {
  start: () => void
  reject: (error: Error) => void
}

/** One client's reads: how many run now, and which wait. */
interface Lane {
  client: string
  running: number
  waiting: Waiting[]
}

/**
 * Runs a few long reads at a time. Clients that wait take turns, however many reads each has waiting,
 * and no client gets more than half of the slots, so that others needn't wait for its reads to end.
 */
export class FairQueue {
  readonly #slots: number
  readonly #each: number
  /** Clients with running or waiting reads; the one served last comes last. */
  readonly #lanes = new Map<string, Lane>()
  /** The process's own waiting reads, and whether the last turn was its own. */
  readonly #own: Waiting[] = []
  #wasOwn = false
  #running = 0
  #waiting = 0

  /** @param slots how many run at the same time */
  constructor(slots: number) {
    this.#slots = slots
    this.#each = Math.ceil(slots / 2)
  }

  /**
   * @param client '' for clients that can't be told apart, which have no limit each; null for the
   *   process itself, which is never refused and gets every other turn
   * @throws {@link TooManyReadsError} if the client has too many reads waiting, {@link
   *   QueryTimeoutError} if all clients together have, or what the work throws
   */
  async run<T>(client: string | null, work: () => Promise<T>): Promise<T> {
    const lane = client === null ? undefined : this.#laneOf(client)
    if (this.#running < this.#slots && (!lane || this.#mayRun(lane))) this.#begin(lane)
    else await this.#turn(lane)
    try {
      return await work()
    } finally {
      this.#running--
      if (lane) lane.running--
      this.#forget(lane)
      this.#next()
    }
  }

  /** Rejects everything that waits. */
  close(): void {
    const lanes = [...this.#lanes.values()]
    const waiting = [...lanes.flatMap((lane) => lane.waiting.splice(0)), ...this.#own.splice(0)]
    this.#waiting = 0
    for (const { reject } of waiting) reject(new Error('the database was closed'))
  }

  #laneOf(client: string): Lane {
    return this.#lanes.getOrInsertComputed(client, () => ({ client, running: 0, waiting: [] }))
  }

  #forget(lane: Lane | undefined): void {
    if (lane && !lane.running && !lane.waiting.length) this.#lanes.delete(lane.client)
  }

  #mayRun({ client, running }: Lane): boolean {
    return client === '' || running < this.#each
  }

  #begin(lane: Lane | undefined): void {
    this.#running++
    if (lane) lane.running++
  }

  #turn(lane: Lane | undefined): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const one = { start: resolve, reject }
      if (!lane) return this.#own.push(one)
      const refusal = this.#refusal(lane)
      if (refusal) {
        this.#forget(lane)
        return reject(refusal)
      }
      lane.waiting.push(one)
      this.#waiting++
    })
  }

  #refusal({ client, waiting }: Lane): Error | undefined {
    if (client && waiting.length >= maxWaiting.each) return new TooManyReadsError()
    if (this.#waiting < maxWaiting.all) return undefined
    return new QueryTimeoutError(new Error('too many reads are waiting'))
  }

  /** Gives the free slot to the process or to the client that has waited longest for a turn. */
  #next(): void {
    const lane = this.#lanes.values().find((one) => one.waiting.length && this.#mayRun(one))
    this.#wasOwn = this.#own.length > 0 && !(this.#wasOwn && lane)
    if (this.#wasOwn) {
      this.#begin(undefined)
      this.#own.shift()!.start()
    } else if (lane) {
      this.#lanes.delete(lane.client)
      this.#lanes.set(lane.client, lane)
      this.#waiting--
      this.#begin(lane)
      lane.waiting.shift()!.start()
    }
  }
}
