import type { Passwords } from './auth/password.ts'
import type { Hooks } from './write/change.ts'
import type { Database, Transaction } from './database/database.ts'
import type { Files } from './files/files.ts'
import type { DeleteEvent, RealtimeEvent } from './realtime/events.ts'
import type { Limits } from './limits/index.ts'
import type { Collection, Schema } from './schema/collection.ts'
import type { StoredRecord } from './schema/values.ts'
import type { AccountQueue } from './write/account-queue.ts'

/** A transaction's spending so far on finding out who may see its deletions. */
export interface VisibilityBudget {
  /** Milliseconds. */
  time: number
  /** Audiences that were checked. */
  checked: number
}

/** Sends the events of writes; the interface between writes and realtime. */
export interface Publisher {
  /** Called before a delete: prepares its events while the record still exists. */
  deleting(
    tx: Transaction,
    collection: Collection,
    record: StoredRecord,
    budget: VisibilityBudget,
  ): Promise<readonly DeleteEvent[]>
  /**
   * Called at the end of a transaction: sends its events once it is durable, in the order of
   * commits.
   *
   * @param owners the accounts whose records changed
   */
  publish(
    tx: Transaction,
    events: readonly RealtimeEvent[],
    owners: ReadonlySet<string>,
  ): Promise<void>
}

/** The application's knowledge of free disk space. */
export interface DiskSpace {
  /** Awaited before a write that takes space. @throws ApiError 507 while the disk is full */
  admitWrite(): Promise<void>
  /** Called with each write's failure. @returns whether space was freed, so that another try may succeed */
  ranOut(error: unknown): boolean
}

/** The dependencies of the service's operations. */
export interface Core {
  database: Database
  schema: Schema
  hooks: Readonly<Record<string, Hooks>>
  publisher: Publisher
  /** Absent: uploads are refused. */
  files?: Files | undefined
  limits: Limits
  passwords: Passwords
  /** Absent: never checked. */
  diskSpace?: DiskSpace | undefined
  accountQueue: AccountQueue
  now: () => Date
  /** Reports errors that no response can. */
  report: (error: unknown) => void
}
