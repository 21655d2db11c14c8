import type { Passwords } from '../passwords.ts'
import type { Hooks } from './change.ts'
import type { Database, Transaction } from '../database/database.ts'
import type { Files } from '../files/files.ts'
import type { DeleteEvent, WriteEvent } from './events.ts'
import type { Limits } from '../limits/index.ts'
import type { Collection, Schema } from '../schema/collection.ts'
import type { StoredRecord } from '../schema/values.ts'
import type { AccountQueue } from './account-queue.ts'

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
    events: readonly WriteEvent[],
    owners: ReadonlySet<string>,
  ): Promise<void>
}

/** What signing in keeps about accounts, for the writes that end it. */
export interface Sessions {
  /** Ends every session and API token of an account. */
  end(tx: Transaction, account: string): Promise<void>
  /** Forgets where an account signed in from, when its password changes. */
  forgetOrigins(tx: Transaction, account: string): Promise<void>
  /** Deletes what is kept about an account that is deleted. */
  forgetAccount(tx: Transaction, account: string): Promise<void>
}

/** The application's knowledge of free disk space. */
export interface DiskSpace {
  /** Awaited before a write that takes space. @throws ApiError 507 while the disk is full */
  admitWrite(): Promise<void>
  /**
   * Sets space aside for a file that is about to be written, until it is disposed of.
   *
   * @throws ApiError 507 if the other writes wouldn't have enough left
   */
  claim(bytes: number): Promise<Disposable>
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
  sessions: Sessions
  /** Absent: never checked. */
  diskSpace?: DiskSpace | undefined
  accountQueue: AccountQueue
  now: () => Date
  /** Reports errors that no response can. */
  report: (error: unknown) => void
}
