import type { Hooks } from './change.ts'
import type { Database, Transaction } from './database/database.ts'
import type { Collection, Schema } from './schema/collection.ts'
import type { StoredRecord } from './schema/values.ts'

/** Who hears of writes: the realtime side, as the writing side knows it. */
export interface Events {
  /** After the commit. */
  changed(action: 'create' | 'update', collection: Collection, id: string): void
  /**
   * Before a delete: who may see the record as long as it is there.
   *
   * @returns what to call after the commit
   */
  leaving(tx: Transaction, collection: Collection, record: StoredRecord): Promise<() => void>
  /** An account, or one of its sessions, is no longer signed in. */
  signedOut(account: { id: string; session?: string }): void
}

/** What every operation of the service works with. */
export interface Core {
  database: Database
  schema: Schema
  hooks: Readonly<Record<string, Hooks>>
  events: Events
  now: () => Date
  /** Takes errors nobody is answered about. */
  report: (error: unknown) => void
}
