import { sql } from 'kysely'
import { number } from '../database/columns.ts'
import type { Database, Dialect, Transaction } from '../database/database.ts'
import { withBudget } from '../database/request-budget.ts'
import { modify } from '../database/query.ts'
import { textType } from '../schema/table.ts'
import type { LimitRule } from './rules.ts'

/** The statements that create the counters' table, for a migration to run one by one. */
export function limitTables(dialect: Dialect['name']): string[] {
  return [
    `CREATE TABLE _limits (key ${textType(dialect)} NOT NULL PRIMARY KEY, points BIGINT NOT NULL, expires BIGINT NOT NULL)`,
    `CREATE INDEX "_limits_expires" ON _limits (expires)`,
  ]
}

/** One event to count; the key names the rule and who it is counted for. */
export interface Count {
  key: string
  rule: LimitRule
}

interface Counted {
  /** Milliseconds until the next attempt is allowed; 0 for now. */
  wait: number
  /** Whether this attempt was the one too many that starts a lockout. */
  startsLockout: boolean
}

/**
 * Milliseconds by which the clocks of two processes may differ, plus the time since a waiting
 * request read its clock.
 */
const clocksDiffer = 60_000

/** Milliseconds between deletions of expired counters. */
const sweepEvery = 600_000

/**
 * Counts in the database, so that processes share their counts and a restart forgets nothing (R38). One
 * statement counts and returns the sum, so that exactly as many concurrent requests pass as the
 * limit allows.
 */
export class Counters {
  readonly #database: Database
  readonly #now: () => number
  #swept = 0

  /** @param now milliseconds since 1970 */
  constructor(database: Database, now: () => number) {
    this.#database = database
    this.#now = now
  }

  /**
   * Counts one after another, and stops at the first that exceeds its limit.
   *
   * @returns the result of each that was counted
   */
  async count(counts: readonly Count[]): Promise<Counted[]> {
    const found: Counted[] = []
    await this.#sweep()
    await this.#transaction(async (tx) => {
      found.length = 0
      for (const count of counts) {
        const counted = await this.#count(tx, count)
        found.push(counted)
        if (counted.wait > 0) return
      }
    })
    return found
  }

  /**
   * No budget is charged: concurrent requests wait for each other's row, which is no work of
   * theirs.
   */
  #transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return withBudget(undefined, () => this.#database.transaction(work))
  }

  /** Takes one count back from each key, because the attempt turned out not to count. */
  async refund(keys: readonly string[]): Promise<void> {
    await this.#transaction(async (tx) => {
      for (const key of keys)
        await modify(
          tx,
          '_limits',
          sql`UPDATE _limits SET points = points - 1 WHERE key = ${key} AND points > 0`,
        )
    })
  }

  async #count(tx: Transaction, { key, rule }: Count): Promise<Counted> {
    const now = this.#now()
    const ends = now + rule.seconds * 1000
    // An expiry further away than the rule allows was set before the clock was set back.
    const latest = now + Math.max(rule.seconds, rule.lockout ?? 0) * 1000 + clocksDiffer
    const isOver = sql`_limits.expires <= ${now} OR _limits.expires > ${latest}`
    const [row] = await modify(
      tx,
      '_limits',
      sql`INSERT INTO _limits (key, points, expires) VALUES (${key}, 1, ${ends})
        ON CONFLICT (key) DO UPDATE SET
          points = CASE WHEN ${isOver} THEN 1 ELSE _limits.points + 1 END,
          expires = CASE WHEN ${isOver} THEN ${ends} ELSE _limits.expires END
        RETURNING points, expires`,
      { points: number, expires: number },
    )
    const { points = 0, expires = 0 } = row ?? {}
    if (points <= rule.points) return { wait: 0, startsLockout: false }
    const wait = expires - now
    if (rule.lockout === undefined) {
      // A refused attempt must not be left in the count once others are refunded.
      if (rule.delay === undefined)
        await modify(
          tx,
          '_limits',
          sql`UPDATE _limits SET points = ${rule.points} WHERE key = ${key}`,
        )
      return { wait, startsLockout: false }
    }
    // The first attempt beyond the limit starts the lockout; later ones don't extend it.
    if (points > rule.points + 1) return { wait, startsLockout: false }
    const rested = now + rule.lockout * 1000
    await modify(tx, '_limits', sql`UPDATE _limits SET expires = ${rested} WHERE key = ${key}`)
    return { wait: rested - now, startsLockout: true }
  }

  async #sweep(): Promise<void> {
    const now = this.#now()
    if (Math.abs(now - this.#swept) < sweepEvery) return
    this.#swept = now
    await this.#transaction((tx) => {
      // Skip counters that another process is updating, so that neither waits for the other.
      const lock = tx.dialect.name === 'postgres' ? sql` FOR UPDATE SKIP LOCKED` : sql``
      const ended = sql`SELECT key FROM _limits WHERE expires <= ${now}${lock}`
      return modify(tx, '_limits', sql`DELETE FROM _limits WHERE key IN (${ended})`)
    })
  }
}
