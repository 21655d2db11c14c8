import { LRUCache } from 'lru-cache'
import type { RequestBudget } from '../database/request-budget.ts'
import { tooManyRequests } from '../errors.ts'
import type { LimitRule } from './rules.ts'

/** Budgets remembered at a time. */
const maxBudgets = 10_000

/** Milliseconds of work that one client may still cause; below 0 they are owed. */
interface Bucket {
  left: number
  /** When it was last filled up. */
  at: number
}

/**
 * A token bucket for each client: it holds the rule's points, a millisecond each, and fills up
 * evenly within the rule's seconds. What a statement costs is known only afterwards, so a bucket can
 * be overdrawn; no more than once its size is owed, so that every refusal ends.
 */
export class TokenBuckets {
  readonly #size: number
  /** What comes back in a millisecond. */
  readonly #rate: number
  readonly #now: () => number
  readonly #budgets = new LRUCache<string, Bucket>({
    maxSize: maxBudgets,
    sizeCalculation: () => 1,
  })

  /** @param now milliseconds; a clock that is put back fills nothing */
  constructor({ points, seconds }: LimitRule, now: () => number) {
    this.#size = points
    this.#rate = points / (seconds * 1000)
    this.#now = now
  }

  /** @returns the client's budget, filled up */
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

/** What both kinds of clients may cause. */
interface BucketsByClient {
  networks: TokenBuckets
  accounts: TokenBuckets
}

/** Has the work of one request paid by the network it comes from, and by its account once known. */
export class ClientBudget implements RequestBudget {
  readonly network: string
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
