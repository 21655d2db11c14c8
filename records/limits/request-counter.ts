import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { tooManyRequests } from '../errors.ts'
import type { LimitRule } from './rules.ts'

/** Counts what clients do within a rule's window, in this process only. */
export class RequestCounter {
  readonly #limiter: RateLimiterMemory

  constructor({ points, seconds }: Pick<LimitRule, 'points' | 'seconds'>) {
    this.#limiter = new RateLimiterMemory({ points, duration: seconds })
  }

  /**
   * Counts for a client.
   *
   * @param message of the refusal
   * @throws ApiError 429 with `Retry-After` if it exceeds the limit
   */
  async admit(client: string, points = 1, message = ''): Promise<void> {
    const wait = await this.#count(client, points)
    if (wait !== undefined) throw tooManyRequests(wait, message)
  }

  /** Counts one more for a client. @returns whether the limit allows it */
  async allows(client: string): Promise<boolean> {
    return (await this.#count(client, 1)) === undefined
  }

  /** @returns whether a client has used up what the limit allows */
  async isSpent(client: string): Promise<boolean> {
    return ((await this.#limiter.get(client))?.remainingPoints ?? 1) <= 0
  }

  /** @returns the milliseconds until the client may try again; undefined if it may go on */
  async #count(client: string, points: number): Promise<number | undefined> {
    try {
      await this.#limiter.consume(client, points)
      return undefined
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return refusal.msBeforeNext
      throw refusal
    }
  }
}
