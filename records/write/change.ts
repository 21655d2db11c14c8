import type { RequestInfo } from '../access/request.ts'
import type { Transaction } from '../database/database.ts'
import type { FieldErrors } from '../errors.ts'
import type { Collection } from '../schema/collection.ts'
import type { StoredRecord } from '../schema/values.ts'

/** One record's change, as the application's hooks see it. */
export interface Change {
  /** `restore` is a deletion undone: the record was all right before, and comes as it was. */
  action: 'create' | 'update' | 'delete' | 'restore'
  collection: Collection
  /** null on create and restore */
  before: StoredRecord | null
  /** null on delete */
  after: StoredRecord | null
  /** null: the server itself */
  request: RequestInfo | null
}

/** A create or update on its way to the database; the server's own has none of the optional parts. */
export interface RecordWrite extends Change {
  action: 'create' | 'update'
  /** The record as requested; completed in place. */
  after: StoredRecord
  /** Whether the client set a relation field itself: what it names must be visible to it. */
  isSetByClient?: (field: string) => boolean
  /** Errors found before, reported along with those of the other fields. */
  formErrors?: FieldErrors | undefined
  /** Whether its relations only lose ids that are gone: fewer than required may remain. */
  isLoss?: boolean
}

/** What the application adds to a collection's writes. Both run inside the write's transaction. */
export interface Hooks {
  /**
   * Whether an account's creates and updates of the collection run one after another, because they
   * also lock other records of the account, in any order.
   */
  isExclusive?: boolean
  /**
   * Before validation and before anything is written; may set fields of `change.after`.
   *
   * @throws ApiError to refuse the change
   */
  prepare?(change: Change, tx: WriteTransaction): Promise<void> | void
  /** After the row was written; may write other collections. A throw undoes everything. */
  applied?(change: Change, tx: WriteTransaction): Promise<void> | void
}

/**
 * A write as the server itself: no access rules, and fields the server keeps can be set. Values are
 * still validated, hooks run and events are sent.
 */
export interface WriteTransaction extends Transaction {
  /**
   * @param values fields by name; what is left out is the field's zero value
   * @throws ApiError 400 with the fields' errors
   */
  create(
    collection: Collection | string,
    values: Readonly<Record<string, unknown>>,
  ): Promise<StoredRecord>
  /**
   * @param values the fields that change; `field+` and `field-` add and take away
   * @throws ApiError 404 if there is no such record, 400 with the fields' errors
   */
  update(
    collection: Collection | string,
    id: string,
    values: Readonly<Record<string, unknown>>,
  ): Promise<StoredRecord>
  /** Deletes the record and what hangs on it. @throws ApiError 404 if there is no such record */
  delete(collection: Collection | string, id: string): Promise<void>
  /**
   * Undoes a deletion: the record comes back as it was, with what went with it.
   *
   * @param account who deleted it
   * @throws ApiError 404 if the account deleted no such record, or too long ago; 400 if it cannot
   *   be where it was
   */
  restore(account: string, collection: Collection | string, id: string): Promise<void>
  /**
   * Ends what an account can still undo: one deletion, or all of them, with the files.
   *
   * @throws ApiError 404 if the account deleted no such record
   */
  emptyTrash(account: string, one?: { collection: Collection | string; id: string }): Promise<void>
  /**
   * The record as this transaction sees it, hidden fields too. It stays as it is until the
   * transaction ends, so what is computed from it can be written back.
   */
  find(collection: Collection | string, id: string): Promise<StoredRecord | null>
  /**
   * Leaves work for the end of a write, such as counting anew what several records of one batch
   * have changed; of work with the same key only the last is done. Of the requests in a batch,
   * those that follow one another in one collection and include nothing end together.
   */
  atEnd(key: string, work: () => Promise<void>): void
  /**
   * The application's own state, which lives as long as this transaction.
   *
   * @param initial makes it when it is first asked for; the same function gives the same state
   */
  state<T>(initial: () => T): T
}
