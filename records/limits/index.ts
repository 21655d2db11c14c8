import { createHmac } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import { withBudget } from '../database/request-budget.ts'
import { tooManyRequests } from '../errors.ts'
import { TokenBuckets, ClientBudget } from './token-buckets.ts'
import { Counters, type Count } from './counters.ts'
import { RequestCounter } from './request-counter.ts'
import { EmptyListDelay, type DelayTimers } from './empty-list-delay.ts'
import { defaultRules, type LimitRules, type InMemoryRule, type StoredRule } from './rules.ts'

export { clientNetwork } from './address.ts'
export { limitTables } from './counters.ts'
export type { LimitRule, LimitRules } from './rules.ts'

interface LimitsDeps {
  database: Database
  /** Hashes the email addresses and networks in the counters' keys. */
  secret: string
  /** Milliseconds since 1970. */
  now: () => number
  /** Override the default rules; false turns all limits off. */
  rules: Partial<LimitRules> | false
  /** The clock for delays; real time by default. */
  timers?: Partial<DelayTimers>
}

/** An attempt to count, and whether it still counts once its outcome is known. */
export interface Attempt {
  rule: StoredRule
  /** Who it is counted for: a client network, an account or both. */
  who: readonly string[]
  /** @param error what the work threw; undefined if it succeeded */
  counts(error: unknown): boolean
  /** Called when a lockout starts. @param wait its length in milliseconds */
  onLockout?(wait: number): void
}

/** Requests that may be delayed at the same time in this process. */
const maxWaiting = 100

/**
 * The service's rate limits. Counts over a few seconds are kept in memory; those that protect
 * accounts are kept in the database. A network of '' is the process itself, such as when it renders
 * a page, and isn't limited.
 */
export class Limits {
  readonly #counters: Counters
  readonly #secret: string
  readonly #rules: LimitRules
  readonly #isOff: boolean
  readonly #emptyLists: EmptyListDelay
  readonly #wait: DelayTimers['wait']
  readonly #buckets: { networks: TokenBuckets; accounts: TokenBuckets }
  readonly #local = new Map<InMemoryRule, RequestCounter>()
  #waiting = 0

  constructor({ database, secret, now, rules, timers }: LimitsDeps) {
    this.#counters = new Counters(database, now)
    this.#secret = secret
    this.#isOff = rules === false
    this.#emptyLists = new EmptyListDelay(timers)
    this.#wait = timers?.wait ?? setTimeout
    this.#rules = { ...defaultRules, ...rules }
    const { work, accountWork } = this.#rules
    this.#buckets = {
      networks: new TokenBuckets(work, now),
      accounts: new TokenBuckets(accountWork, now),
    }
    for (const name of ['api', 'create', 'batch', 'batchCreate'] as const)
      this.#local.set(name, new RequestCounter(this.#rules[name]))
  }

  /**
   * Counts a request from a client network.
   *
   * @throws ApiError 429 if it exceeds the limit
   */
  async admit(rule: InMemoryRule, network: string, points = 1): Promise<void> {
    if (this.#isOff || network === '') return
    await this.#local.get(rule)!.admit(network, points)
  }

  /**
   * Runs a request with its statements charged to its network's budget. In-process calls without a
   * network are charged to the network of the request that makes them.
   *
   * @throws ApiError 429 if the network's budget is spent, or what the work throws
   */
  withBudget<T>(network: string, work: () => T): T {
    if (this.#isOff || network === '') return work()
    const payer = new ClientBudget(this.#buckets, network)
    payer.refuseIfSpent()
    return withBudget(payer, work)
  }

  /** Call before responding with an empty search result; see {@link EmptyListDelay}. */
  async delayEmptyList(network: string): Promise<void> {
    if (!this.#isOff) await this.#emptyLists.delay(network)
  }

  /**
   * Counts attempts, then does the work, and refunds the attempts that turn out not to count.
   *
   * @param attempts in the same order everywhere, so that requests can't deadlock
   * @throws ApiError 429 if an attempt exceeds its limit, or what the work throws
   */
  async attempt<T>(attempts: readonly Attempt[], work: () => Promise<T>): Promise<T> {
    if (this.#isOff || !attempts.length) return work()
    const counts = attempts.map((attempt) => this.#count(attempt))
    const found = await this.#counters.count(counts)
    const { wait, startsLockout } = found.at(-1)!
    if (startsLockout) attempts[found.length - 1]?.onLockout?.(wait)
    if (wait > 0) {
      const { delay } = counts[found.length - 1]!.rule
      if (delay === undefined) throw tooManyRequests(wait)
      await this.#delay(delay)
    }
    const refund = async (error?: unknown) => {
      const free = attempts.flatMap((one, i) => (one.counts(error) ? [] : [counts[i]!.key]))
      if (free.length) await this.#counters.refund(free)
    }
    let result: T
    try {
      result = await work()
    } catch (error) {
      await refund(error)
      throw error
    }
    await refund()
    return result
  }

  #count({ rule, who }: Attempt): Count {
    const name = createHmac('sha256', this.#secret).update(JSON.stringify(who)).digest('base64url')
    return { key: `${rule} ${name}`, rule: this.#rules[rule] }
  }

  async #delay(milliseconds: number): Promise<void> {
    if (this.#waiting >= maxWaiting) throw tooManyRequests(milliseconds)
    this.#waiting++
    try {
      await this.#wait(milliseconds)
    } finally {
      this.#waiting--
    }
  }
}
