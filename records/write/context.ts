import type { VerdictCache } from '../access/verdict-cache.ts'
import type { WriteTransaction } from './change.ts'
import type { Core } from '../core.ts'
import type { LockedRows } from './locked-rows.ts'
import type { PendingEvents } from './pending-events.ts'
import type { WrittenRecords } from './written-records.ts'

/** One transaction that writes records, with all that is known of it until it ends. */
export interface WriteContext extends WriteTransaction {
  readonly core: Core
  readonly locked: LockedRows
  readonly written: WrittenRecords
  readonly verdicts: VerdictCache
  /** Sent once the transaction is durable. */
  readonly events: PendingEvents
  /** Does what was left for the end of the write, so that what is read next is up to date. */
  finish(): Promise<void>
}

/**
 * A client's write, ready for its transaction: what takes long is done. It can be run again if the
 * database gave the transaction up.
 */
export type Step<T> = (tx: WriteContext) => Promise<T>
