import { LRUCache } from 'lru-cache'
import type { RequestBudget } from '../database/request-budget.ts'
import { tooManyRequests } from '../errors.ts'
import type { LimitRule } from './rules.ts'

/** The number of budgets to track. */
const maxBudgets = 10_000

/** Milliseconds of work that one client has left; negative if overdrawn. */
interface Bucket {
  left: number
  /** When it was last refilled. */
  at: number
}

/**
 * A token bucket for each client, by the work that it causes (R43). It holds the rule's points, a millisecond each, and refills
 * evenly over the rule's seconds. A statement's cost is only known afterwards, so a bucket can be
 * overdrawn, but by no more than its size, so that every refusal ends.
 */
export class TokenBuckets {
  readonly #size: number
  /** Points refilled per millisecond. */
  readonly #rate: number
  readonly #now: () => number
  readonly #budgets = new LRUCache<string, Bucket>({
    maxSize: maxBudgets,
    sizeCalculation: () => 1,
  })

  /** @param now milliseconds; a clock that is set back refills nothing */
  constructor({ points, seconds }: LimitRule, now: () => number) {
    this.#size = points
    this.#rate = points / (seconds * 1000)
    this.#now = now
  }

  /** @returns the client's budget, refilled */
  of(client: string): Bucket {
    const budgets = this.#budgets
    const now = this.#now()
    const budget = budgets.get(client) ?? { left: this.#size, at: now }
    const back = Math.max(0, now - budget.at) * this.#rate
    budget.left = Math.min(this.#size, Math.max(-this.#size, budget.left) + back)
    budget.at = now
    budgets.set(client, budget)
    return budget
  }

  /** @throws ApiError 429 if nothing is left */
  refuseIfEmpty({ left }: Bucket): void {
    if (left > 0) return
    const wait = (Math.min(this.#size, -left) + 1) / this.#rate
    throw tooManyRequests(wait, 'These requests take too much time. Please try again in a moment.')
  }
}

/** The buckets of networks and of accounts. */
interface BucketsByClient {
  networks: TokenBuckets
  accounts: TokenBuckets
}

/** Charges a request's work to its network, and to its account once that is known. */
export class ClientBudget implements RequestBudget {
  readonly network: string
  readonly began = performance.now()
  readonly #buckets: BucketsByClient
  readonly #ofNetwork: Bucket
  #ofAccount: Bucket | undefined

  constructor(buckets: BucketsByClient, network: string) {
    this.network = network
    this.#buckets = buckets
    this.#ofNetwork = buckets.networks.of(network)
  }

  setAccount(account: string): void {
    this.#ofAccount = this.#buckets.accounts.of(account)
    this.#buckets.accounts.refuseIfEmpty(this.#ofAccount)
  }

  charge(milliseconds: number): void {
    this.#ofNetwork.left -= milliseconds
    if (this.#ofAccount) this.#ofAccount.left -= milliseconds
  }

  refuseIfSpent(): void {
    this.#buckets.networks.refuseIfEmpty(this.#ofNetwork)
    if (this.#ofAccount) this.#buckets.accounts.refuseIfEmpty(this.#ofAccount)
  }
}
