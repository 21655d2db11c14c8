/** One group's work: how much runs now, and what waits. */
interface Lane {
  running: number
  waiting: (() => void)[]
}

interface SlotLimits {
  /** Work that runs at a time, of all groups and of one. */
  concurrency: number
  ofOne: number
  /** Work of one group that may wait. */
  waiting: number
}

/**
 * Runs work of several groups, such as readers, some of each at a time. Groups that wait take turns,
 * so that none has to wait for all of another's work.
 */
export class FairSlots {
  readonly #limits: SlotLimits
  /** Groups with work; the one served last comes last. */
  readonly #lanes = new Map<string, Lane>()
  #running = 0

  constructor(limits: SlotLimits) {
    this.#limits = limits
  }

  /** @throws if too much of the group's work is waiting, or what the work throws */
  async run<T>(group: string, work: () => Promise<T>): Promise<T> {
    const lane = this.#lanes.getOrInsertComputed(group, () => ({ running: 0, waiting: [] }))
    if (lane.waiting.length >= this.#limits.waiting) throw new Error('too much is waiting')
    await new Promise<void>((start) => {
      lane.waiting.push(start)
      this.#admit()
    })
    try {
      return await work()
    } finally {
      this.#running--
      lane.running--
      if (!lane.running && !lane.waiting.length) this.#lanes.delete(group)
      this.#admit()
    }
  }

  #admit(): void {
    const { concurrency, ofOne } = this.#limits
    while (this.#running < concurrency) {
      const next = this.#lanes
        .entries()
        .find(([, { running, waiting }]) => waiting.length > 0 && running < ofOne)
      if (!next) return
      const [group, lane] = next
      this.#lanes.delete(group)
      this.#lanes.set(group, lane)
      this.#running++
      lane.running++
      lane.waiting.shift()!()
    }
  }
}
