import { setImmediate } from 'node:timers/promises'
import { QueryTimeoutError, TooManyReadsError } from '../database/database.ts'
import { FairQueue } from '../database/fair-queue.ts'
import { currentBudget } from '../database/request-budget.ts'
import { ApiError, tooManyRequests } from '../errors.ts'
import { isSharedNetwork } from './address.ts'

/** How much work runs at once, so that work that stalls doesn't hold up other networks. */
const slots = 2
/** Milliseconds after which a network with too much waiting work may try again. */
const busyWait = 5000

/**
 * Lets work that occupies the main thread, such as rendering a page, run one piece at a time for
 * each network (R55). Networks take turns, and other requests are answered between two pieces.
 */
export class Turns {
  readonly #queue = new FairQueue(slots)

  /**
   * Requests without a budget don't wait: they are the process's own, or limits are off.
   *
   * @param isForAll whether requests of other networks wait for this work too; it then neither
   *   waits for the network's other work nor is refused because of it
   * @throws ApiError 429 if too much of the network's work is waiting or its budget is spent by
   *   then, 503 if too much waits in all, or what the work throws
   */
  async run<T>(work: () => Promise<T>, isForAll = false): Promise<T> {
    const budget = currentBudget()
    if (!budget) return work()
    const client = isForAll || isSharedNetwork(budget.network) ? '' : budget.network
    try {
      return await this.#queue.run(client, async () => {
        await setImmediate()
        // Earlier work may have spent the budget while this waited.
        if (!isForAll) budget.refuseIfSpent()
        return work()
      })
    } catch (error) {
      if (error instanceof TooManyReadsError) throw tooManyRequests(busyWait, '', error)
      if (error instanceof QueryTimeoutError) throw new ApiError(503, '', {}, error)
      throw error
    }
  }
}
