import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Transaction } from '../database/database.ts'
import { modify, query } from '../database/query.ts'
import type { Topic } from './topic.ts'

/** A row of `_audiences`, whose `place` is the topic's channel and `account` an `audienceOf`. */
interface Entry {
  id: string
  place: string
  topic: string
  account: string
}

/** This process's subscriptions, stored for the other processes. */
export class Registry {
  readonly #database: Database
  readonly #report: (error: unknown) => void
  /** null without a listening connection, when there are no clients either */
  #process: number | null = null
  /** Entries not written yet; undefined deletes one. */
  readonly #pending = new Map<string, Entry | undefined>()
  readonly #written = new Set<string>()
  #writing: Promise<void> = Promise.resolve()

  constructor(database: Database, report: (error: unknown) => void) {
    this.#database = database
    this.#report = report
  }

  /** @param process the listening connection's process id on the server; null if it is lost */
  start(process: number | null): void {
    this.#process = process
    this.#pending.clear()
    this.#written.clear()
  }

  note({ channel, name }: Topic, audience: string, isThere: boolean): void {
    const id = createHash('sha256').update(`${channel}\n${audience}\n${name}`).digest('base64url')
    if (!this.#pending.size) setImmediate(() => void this.settled().catch(this.#report))
    this.#pending.set(
      id,
      isThere ? { id, place: channel, topic: name, account: audience } : undefined,
    )
  }

  /** Resolves once every noted change is written; rejects if that fails. */
  settled(): Promise<void> {
    if (!this.#pending.size) return this.#writing
    const writing = this.#writing.catch(() => undefined).then(() => this.#write())
    this.#writing = writing
    // A later caller with nothing to write must not get this error.
    writing.catch(() => {
      if (this.#writing === writing) this.#writing = Promise.resolve()
    })
    return writing
  }

  /** Writes all pending changes in one transaction, however many clients connect at once. */
  async #write(): Promise<void> {
    // A client that renews its subscriptions leaves and returns, which changes nothing.
    const isChange = ([id, entry]: [string, Entry | undefined]) =>
      this.#written.has(id) === (entry === undefined)
    const pending = [...this.#pending].filter(isChange)
    const process = this.#process
    this.#pending.clear()
    if (!pending.length || process === null) return
    const ids = JSON.stringify(pending.map(([id]) => id))
    const entries = JSON.stringify(pending.flatMap(([, entry]) => entry ?? []))
    await this.#database.transaction(async (tx) => {
      await modify(
        tx,
        '_audiences',
        sql`DELETE FROM _audiences WHERE process = ${process}
          AND id IN (SELECT jsonb_array_elements_text(${ids}::jsonb))`,
      )
      await modify(
        tx,
        '_audiences',
        sql`INSERT INTO _audiences (process, id, place, topic, account)
          SELECT ${process}::integer, id, place, topic, account FROM
          jsonb_to_recordset(${entries}::jsonb) AS e (id text, place text, topic text, account text)`,
      )
    })
    if (process !== this.#process) return
    for (const [id, entry] of pending)
      if (entry) this.#written.add(id)
      else this.#written.delete(id)
  }

  /**
   * Deletes the entries of stopped processes, and at the start those of an earlier one with the
   * same number.
   */
  async sweep(isStart = false): Promise<void> {
    const own = isStart ? this.#process : null
    await this.#database.transaction((tx) =>
      modify(
        tx,
        '_audiences',
        sql`DELETE FROM _audiences WHERE process = ${own}
          OR process NOT IN (SELECT pid FROM pg_stat_activity WHERE pid IS NOT NULL)`,
      ),
    )
  }
}

/** @returns each subscription and audience of one of the channels, in any process */
export async function subscribersOf(
  tx: Transaction,
  channels: readonly string[],
): Promise<{ channel: string; topic: string; audience: string }[]> {
  const rows = await query(
    tx,
    sql`SELECT DISTINCT place, topic, account FROM _audiences
      WHERE place IN (SELECT jsonb_array_elements_text(${JSON.stringify(channels)}::jsonb))`,
  )
  return rows.map(([channel, topic, audience]) => ({
    channel: String(channel),
    topic: String(topic),
    audience: String(audience),
  }))
}

/**
 * The condition that any client is subscribed to one of the channels or signed in to one of the
 * accounts.
 */
export function hasSubscribers(channels: readonly string[], accounts: readonly string[]) {
  return sql`(EXISTS (SELECT FROM _audiences
      WHERE place IN (SELECT jsonb_array_elements_text(${JSON.stringify(channels)}::jsonb)))
    OR EXISTS (SELECT FROM _audiences
      WHERE split_part(account, ' ', 1)
        IN (SELECT jsonb_array_elements_text(${JSON.stringify(accounts)}::jsonb))))`
}
