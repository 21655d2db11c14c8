import { sql } from 'kysely'
import type { Database, Dialect, Transaction } from '../database/database.ts'
import { withBudget } from '../database/request-budget.ts'
import { modify } from '../database/query.ts'
import { textType } from '../schema/table.ts'
import type { LimitRule } from './rules.ts'

/** The statement that makes the counters' table, for a migration to run. */
export function limitTables(dialect: Dialect['name']): string[] {
  return [
    `CREATE TABLE _limits (key ${textType(dialect)} NOT NULL PRIMARY KEY, points BIGINT NOT NULL, expires BIGINT NOT NULL)`,
    `CREATE INDEX "_limits_expires" ON _limits (expires)`,
  ]
}

/** One thing done that counts, under the name of who did it. */
export interface Count {
  key: string
  rule: LimitRule
}

interface Counted {
  /** Milliseconds until it may be done again; 0 is now. */
  wait: number
  /** Whether this very time was the one too many that a cool-down begins with. */
  startsLockout: boolean
}

/**
 * How far the clocks of two processes may be apart, in milliseconds, and how long a request may have
 * waited for its turn since it looked at one.
 */
const clocksDiffer = 60_000

/** Counters whose windows have ended are removed this often, in milliseconds. */
const sweepEvery = 600_000

/**
 * Counts in the database, so that all processes count together and a restart forgets nothing. One
 * statement counts and tells the sum, so that of many at once exactly as many pass as may.
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
   * Counts one after the other, up to the first that was done too often.
   *
   * @returns what each that was counted came to
   */
  async take(counts: readonly Count[]): Promise<Counted[]> {
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

  /** Nobody is charged: those who are counted at once wait for each other's row, and cause no work. */
  #transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return withBudget(undefined, () => this.#database.transaction(work))
  }

  /** Takes back what was counted once, because it was not what is limited. */
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
    // An end that is further away than any can be was set before the clock was put back.
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
    )
    const points = Number(row?.[0])
    if (points <= rule.points) return { wait: 0, startsLockout: false }
    const wait = Number(row?.[1]) - now
    if (rule.lockout === undefined) {
      // What is refused was not done, and must not stay when others are given back.
      if (rule.delay === undefined)
        await modify(
          tx,
          '_limits',
          sql`UPDATE _limits SET points = ${rule.points} WHERE key = ${key}`,
        )
      return { wait, startsLockout: false }
    }
    // The first beyond the limit begins the time of rest; those that follow do not prolong it.
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
      // Not those that another process counts in right now: neither waits for the other.
      const lock = tx.dialect.name === 'postgres' ? sql` FOR UPDATE SKIP LOCKED` : sql``
      const ended = sql`SELECT key FROM _limits WHERE expires <= ${now}${lock}`
      return modify(tx, '_limits', sql`DELETE FROM _limits WHERE key IN (${ended})`)
    })
  }
}
