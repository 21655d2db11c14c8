import type { WriteTransaction } from './change.ts'
import type { Core } from './core.ts'
import type { LockedRows } from './locked-rows.ts'
import type { PendingEvents } from './pending-events.ts'
import type { WrittenRecords } from './written-records.ts'

/** One transaction that writes records, with its state until it ends. */
export interface WriteContext extends WriteTransaction {
  readonly core: Core
  readonly locked: LockedRows
  readonly written: WrittenRecords
  /** Sent once the transaction is durable. */
  readonly events: PendingEvents
  /** Runs the work left for the end of the write, so that later reads are up to date. */
  finish(): Promise<void>
}

/**
 * The part of a client's write that runs in a transaction; slow work is already done. It runs again
 * if the database aborts the transaction.
 */
export type WriteStep<T> = (tx: WriteContext) => Promise<T>
