import type { Events, JudgingBudget } from '../core.ts'
import type { Transaction } from '../database/database.ts'
import type { News } from '../realtime/events.ts'
import type { Collection } from '../schema/collection.ts'
import type { StoredRecord } from '../schema/values.ts'

/**
 * What a transaction will tell once it is durable: one event a record, however often the
 * transaction touched it, and none for what it made and deleted again.
 */
export class PendingEvents {
  readonly #events: Events
  readonly #tx: Transaction
  readonly #news = new Map<string, News>()
  readonly #isNew = new Set<string>()
  readonly #budget: JudgingBudget = { time: 0, judged: 0 }

  constructor(events: Events, tx: Transaction) {
    this.#events = events
    this.#tx = tx
  }

  changed(action: 'create' | 'update', collection: Collection, id: string): void {
    const key = keyOf(collection, id)
    const known = this.#news.get(key)
    if (!known && action === 'create') this.#isNew.add(key)
    // What changes while it is leaving, such as a count by a hook, is leaving all the same.
    if (known && (known.action !== 'delete' || action === 'update')) return
    // Deleted and made anew: to whom it was there all along, it changed.
    const said = this.#isNew.has(key) ? 'create' : 'update'
    this.#news.set(key, { action: said, collection: collection.id, id })
  }

  /** Before the record is deleted, while it can still be judged who sees it. */
  async leaving(collection: Collection, record: StoredRecord): Promise<void> {
    const key = keyOf(collection, record.id)
    const isNew = this.#isNew.has(key)
    const farewells = isNew
      ? []
      : await this.#events.leaving(this.#tx, collection, record, this.#budget)
    this.#news.delete(key)
    const { id } = record
    this.#news.set(key, { action: 'delete', collection: collection.id, id, farewells })
  }

  /** An account, or one of its sessions, is no longer signed in. */
  signedOut(account: { id: string; session?: string }): void {
    this.#news.set(`out ${account.id} ${account.session ?? ''}`, { action: 'signOut', ...account })
  }

  /** The last thing in the transaction: has all of it told as soon as it is durable. */
  async flush(): Promise<void> {
    if (this.#news.size) await this.#events.tell(this.#tx, [...this.#news.values()])
  }
}

function keyOf(collection: Collection, id: string): string {
  return `${collection.id}/${id}`
}
