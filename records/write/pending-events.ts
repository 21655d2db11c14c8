import type { Publisher, VisibilityBudget } from './core.ts'
import type { Transaction } from '../database/database.ts'
import type { SignedOut, WriteEvent } from './events.ts'
import type { Collection } from '../schema/collection.ts'
import { ownerField } from '../schema/field.ts'
import type { StoredRecord } from '../schema/values.ts'

/**
 * The events to send once a transaction is durable: one for each record, however often the
 * transaction touched it, and none for a record it created and deleted again.
 */
export class PendingEvents {
  readonly #publisher: Publisher
  readonly #tx: Transaction
  readonly #pending = new Map<string, WriteEvent>()
  readonly #isNew = new Set<string>()
  readonly #owners = new Set<string>()
  readonly #budget: VisibilityBudget = { time: 0, checked: 0 }

  constructor(publisher: Publisher, tx: Transaction) {
    this.#publisher = publisher
    this.#tx = tx
  }

  /** @param isForOwner whether nobody but the record's owner can read what has changed */
  changed(
    action: 'create' | 'update',
    collection: Collection,
    record: StoredRecord,
    isForOwner = false,
  ): void {
    this.#noteOwner(collection, record)
    const { id } = record
    const key = keyOf(collection, id)
    const known = this.#pending.get(key)
    if (!known && action === 'create') this.#isNew.add(key)
    // A record that is being deleted sends no event for a hook's update.
    if (known && (known.action !== 'delete' || action === 'update')) return
    // Deleted and created again: for its subscribers, it changed.
    const sent = this.#isNew.has(key) ? 'create' : 'update'
    // Others hear of the record if an earlier change of this transaction is for them.
    const isForAll = !isForOwner || (known && !('owner' in known))
    const owner = isForAll ? undefined : ownerOf(collection, record)
    const event = { action: sent, collection: collection.id, id } as const
    this.#pending.set(key, owner === undefined ? event : { ...event, owner })
  }

  /** Call before the record is deleted, while it can still be checked who may see it. */
  async deleting(collection: Collection, record: StoredRecord): Promise<void> {
    this.#noteOwner(collection, record)
    const key = keyOf(collection, record.id)
    const isNew = this.#isNew.has(key)
    const deliveries = isNew
      ? []
      : await this.#publisher.deleting(this.#tx, collection, record, this.#budget)
    this.#pending.delete(key)
    const { id } = record
    this.#pending.set(key, { action: 'delete', collection: collection.id, id, deliveries })
  }

  /** Notes that an account was signed out, or one of its sessions or API tokens. */
  signedOut(account: SignedOut): void {
    this.#pending.set(`out ${account.id} ${account.session ?? ''}`, {
      action: 'signOut',
      ...account,
    })
  }

  /** The last step of the transaction: sends its events as soon as it is durable. */
  async flush(): Promise<void> {
    if (this.#pending.size)
      await this.#publisher.publish(this.#tx, [...this.#pending.values()], this.#owners)
  }

  #noteOwner(collection: Collection, record: StoredRecord): void {
    const owner = ownerOf(collection, record)
    if (owner !== undefined) this.#owners.add(owner)
  }
}

function ownerOf({ fields }: Collection, record: StoredRecord): string | undefined {
  const field = ownerField(fields)
  const owner = field && record[field.name]
  return typeof owner === 'string' ? owner : undefined
}

function keyOf(collection: Collection, id: string): string {
  return `${collection.id}/${id}`
}
