import type { Events } from './core.ts'
import type { Transaction } from './database/database.ts'
import type { Collection } from './schema/collection.ts'
import type { StoredRecord } from './schema/values.ts'

interface Pending {
  isNew: boolean
  send: () => void
}

/**
 * What a transaction will tell once it is durable: one event a record, however often the
 * transaction touched it, and none for what it made and deleted again.
 */
export class PendingEvents {
  readonly #events: Events
  readonly #tx: Transaction
  readonly #pending = new Map<string, Pending>()

  constructor(events: Events, tx: Transaction) {
    this.#events = events
    this.#tx = tx
    tx.afterCommit(() => {
      for (const { send } of this.#pending.values()) send()
    })
  }

  changed(action: 'create' | 'update', collection: Collection, id: string): void {
    const key = keyOf(collection, id)
    if (this.#pending.has(key)) return
    const send = () => this.#events.changed(action, collection, id)
    this.#pending.set(key, { isNew: action === 'create', send })
  }

  /** Before the record is deleted, while it can still be judged who sees it. */
  async leaving(collection: Collection, record: StoredRecord): Promise<void> {
    const key = keyOf(collection, record.id)
    const send = await this.#events.leaving(this.#tx, collection, record)
    const known = this.#pending.get(key)
    this.#pending.delete(key)
    this.#pending.set(key, { isNew: false, send: known?.isNew ? () => {} : send })
  }
}

function keyOf(collection: Collection, id: string): string {
  return `${collection.id}/${id}`
}
