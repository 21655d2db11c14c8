import type { Hooks } from './write/change.ts'
import type { Database, Transaction } from './database/database.ts'
import type { Files } from './files/files.ts'
import type { DeleteEvent, RealtimeEvent } from './realtime/events.ts'
import type { Limits } from './limits/index.ts'
import type { Collection, Schema } from './schema/collection.ts'
import type { StoredRecord } from './schema/values.ts'
import type { AccountQueue } from './write/account-queue.ts'

/** What one transaction has spent so far on finding who may see its deletions. */
export interface VisibilityBudget {
  /** Milliseconds. */
  time: number
  /** Audiences that were checked. */
  checked: number
}

/** Sends the events of writes: the realtime side, as the writing side knows it. */
export interface Publisher {
  /** Before a delete: the event and its recipients, while the record is still there. */
  deleting(
    tx: Transaction,
    collection: Collection,
    record: StoredRecord,
    budget: VisibilityBudget,
  ): Promise<readonly DeleteEvent[]>
  /**
   * At the end of a transaction: sends its events once it is durable, in the order of commits.
   *
   * @param owners the accounts whose records changed
   */
  publish(
    tx: Transaction,
    events: readonly RealtimeEvent[],
    owners: ReadonlySet<string>,
  ): Promise<void>
}

/** What the application knows about the space left on its disk. */
export interface DiskSpace {
  /** Awaited before a write that takes space. @throws ApiError 507 while there is none */
  admitWrite(): Promise<void>
  /** Called with each write's failure. @returns whether space was freed, so that another try may succeed */
  ranOut(error: unknown): boolean
}

/** What every operation of the service works with. */
export interface Core {
  database: Database
  schema: Schema
  hooks: Readonly<Record<string, Hooks>>
  publisher: Publisher
  /** Absent: uploads are refused. */
  files?: Files | undefined
  limits: Limits
  /** Absent: never checked. */
  diskSpace?: DiskSpace | undefined
  accountQueue: AccountQueue
  now: () => Date
  /** Takes errors nobody is answered about. */
  report: (error: unknown) => void
}
