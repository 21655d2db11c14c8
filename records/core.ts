import type { Hooks } from './write/change.ts'
import type { Database, Transaction } from './database/database.ts'
import type { Files } from './files/files.ts'
import type { Farewell, News } from './realtime/events.ts'
import type { Limits } from './limits/index.ts'
import type { Collection, Schema } from './schema/collection.ts'
import type { StoredRecord } from './schema/values.ts'
import type { Turns } from './write/account-queue.ts'

/** What one transaction has spent so far on who hears of its deletions. */
export interface JudgingBudget {
  /** Milliseconds. */
  time: number
  /** Audiences that were judged. */
  judged: number
}

/** Who hears of writes: the realtime side, as the writing side knows it. */
export interface Events {
  /** Before a delete: what is to be said, and to whom, as long as the record is there. */
  leaving(
    tx: Transaction,
    collection: Collection,
    record: StoredRecord,
    budget: JudgingBudget,
  ): Promise<readonly Farewell[]>
  /** At the end of a transaction: has this told once it is durable, in the order of commits. */
  tell(tx: Transaction, news: readonly News[]): Promise<void>
}

/** What the application knows of the room there is for what is written. */
export interface Room {
  /** To be awaited before what takes room. @throws ApiError 507 while there is none */
  admitWrite(): Promise<void>
  /** Told of what failed. @returns whether room was made, so that it is worth another try */
  ranOut(error: unknown): boolean
}

/** What every operation of the service works with. */
export interface Core {
  database: Database
  schema: Schema
  hooks: Readonly<Record<string, Hooks>>
  events: Events
  /** Absent: uploads are refused. */
  files?: Files | undefined
  limits: Limits
  /** Absent: as long as there is some. */
  room?: Room | undefined
  turns: Turns
  now: () => Date
  /** Takes errors nobody is answered about. */
  report: (error: unknown) => void
}
