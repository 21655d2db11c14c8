import { setTimeout } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'

export interface DelayTimers {
  /** Milliseconds of a clock that never goes back. */
  now: () => number
  /** Resolves after so many milliseconds. */
  wait: (milliseconds: number) => Promise<unknown>
  /** From 0 to below 1. */
  random: () => number
}

const allowed = 3
const windowMs = 3000
const longestDelayMs = 500
/** Networks remembered at a time. */
const maxNetworks = 10_000

/**
 * Blurs how long a search took that found nothing, for those who search like that again and again:
 * what is guessed at may be there but not for them. After three empty lists within three seconds
 * each further one is answered up to half a second late. Source: PocketBase's list API.
 */
export class EmptyListDelay {
  readonly #timers: DelayTimers
  /** When each network's last few empty lists were. */
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
   * To be called with every empty list before it is answered.
   *
   * @param network of the client; '' is the process itself and never waits
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
