import { setTimeout } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'

export interface DelayTimers {
  /** Milliseconds of a monotonic clock. */
  now: () => number
  wait: (milliseconds: number) => Promise<unknown>
  /** A number from 0 up to but not including 1. */
  random: () => number
}

const allowed = 3
const windowMs = 3000
const longestDelayMs = 500
/** The number of networks to track. */
const maxNetworks = 10_000

/**
 * Blurs the response time of empty lists for clients that request many of them: a guess may match a
 * record that is hidden from them, which the time could reveal (R26). After three empty lists within
 * three seconds, each further one is delayed by up to half a second, as in PocketBase's list API.
 */
export class EmptyListDelay {
  readonly #timers: DelayTimers
  /** The times of each network's latest empty lists. */
  readonly #times = new LRUCache<string, number[]>({
    maxSize: maxNetworks,
    sizeCalculation: () => 1,
  })

  constructor(timers?: Partial<DelayTimers>) {
    this.#timers = {
      now: () => performance.now(),
      wait: setTimeout,
      random: Math.random,
      ...timers,
    }
  }

  /**
   * Call before responding with an empty list.
   *
   * @param network the client's; '' is the process itself and never waits
   */
  async delay(network: string): Promise<void> {
    if (network === '') return
    const { now, wait, random } = this.#timers
    const time = now()
    const recent = (this.#times.get(network) ?? []).filter((then) => time - then < windowMs)
    this.#times.set(network, [...recent, time].slice(-allowed - 1))
    if (recent.length >= allowed) await wait(Math.floor(random() * longestDelayMs))
  }
}
