import type { RequestInfo } from '../filter/request.ts'
import type { Transaction } from '../database/database.ts'
import type { StoredUploads } from '../files/uploads.ts'
import type { FieldErrors } from '../errors.ts'
import type { Collection, CollectionNamed } from '../schema/collection.ts'
import type { RecordOf, StoredRecord, ValuesOf } from '../schema/record-of.ts'

/** One record's change, as the application's hooks see it. */
export interface Change<Stored = StoredRecord> {
  /** `restore` undoes a deletion: the record comes back as it was, without validation. */
  action: 'create' | 'update' | 'delete' | 'restore'
  collection: Collection
  /** null on create and restore */
  before: Stored | null
  /** null on delete. Before validation its values are as requested. */
  after: Stored | null
  /** null: the server itself */
  request: RequestInfo | null
  /** Files that the server itself gives the record. */
  stored?: StoredUploads | undefined
  /**
   * Values that a hook adds to the answer of a client's write, such as a generated password. Nothing
   * else shows them, as they are stored nowhere.
   */
  revealed?: Readonly<Record<string, string>>
}

/** A create or update on its way to the database. The server's own writes leave the optional parts out. */
export interface RecordWrite extends Change {
  action: 'create' | 'update'
  /** The record as requested; completed in place. */
  after: StoredRecord
  /** Whether the client set a relation field itself; then the target must be visible to it. */
  isSetByClient?: (field: string) => boolean
  /** Errors found earlier, reported together with those of the other fields. */
  formErrors?: FieldErrors | undefined
  /** Whether only owner-only fields change, so that nobody else may notice. */
  isForOwner?: boolean
  /** Whether relations only lose deleted ids; then fewer than `minSelect` may remain. */
  isLoss?: boolean
}

/** The application's additions to a collection's writes. They run inside the write's transaction. */
export interface Hooks<Stored = StoredRecord, C extends Collection = Collection> {
  /**
   * Whether an account's creates and updates of the collection run one at a time, because they also
   * lock other records of the account in any order.
   */
  isExclusive?: boolean
  /**
   * Before validation and before anything is written; may set fields of `change.after`.
   *
   * @throws ApiError to refuse the change
   */
  prepare?(change: Change<Stored>, tx: WriteTransaction<C>): Promise<void> | void
  /** After the row was written; may write other collections. A throw undoes everything. */
  applied?(change: Change<Stored>, tx: WriteTransaction<C>): Promise<void> | void
}

/**
 * Writes by the server itself: without access rules, and with fields that clients can't set. Values
 * are still validated, hooks run and events are sent.
 */
export interface WriteTransaction<C extends Collection = Collection> extends Transaction {
  /**
   * @param values fields by name; others get their zero value
   * @param stored its files; the values need not name them
   * @throws ApiError 400 with the fields' errors, or if its account has no room for the files
   */
  create<Name extends C['name']>(
    collection: Name,
    values: ValuesOf<CollectionNamed<C, Name>>,
    stored?: StoredUploads,
  ): Promise<RecordOf<CollectionNamed<C, Name>>>
  /**
   * @param values the fields that change; `field+` and `field-` add and remove values
   * @param stored see `create`
   * @throws ApiError 404 if there is no such record, 400 as `create` does
   */
  update<Name extends C['name']>(
    collection: Name,
    id: string,
    values: ValuesOf<CollectionNamed<C, Name>>,
    stored?: StoredUploads,
  ): Promise<RecordOf<CollectionNamed<C, Name>>>
  /** Deletes the record and its dependants. @throws ApiError 404 if there is no such record */
  delete(collection: C['name'], id: string): Promise<void>
  /**
   * Undoes a deletion: the record comes back as it was, with the dependants deleted with it.
   *
   * @param account who deleted it
   * @throws ApiError 404 if the account deleted no such record, or too long ago; 400 if it can't be
   *   restored
   */
  restore(account: string, collection: C['name'], id: string): Promise<void>
  /**
   * Changes an account's deleted records that have the values of `match`, which will be restored
   * with the new values. Dependants deleted with them stay as they are.
   */
  updateTrash<Name extends C['name']>(
    account: string,
    collection: Name,
    match: ValuesOf<CollectionNamed<C, Name>>,
    values: ValuesOf<CollectionNamed<C, Name>>,
  ): Promise<void>
  /**
   * Empties an account's trash: one deletion, or all of them, with their files.
   *
   * @throws ApiError 404 if the account deleted no such record
   */
  emptyTrash(account: string, one?: { collection: C['name']; id: string }): Promise<void>
  /**
   * The record as this transaction sees it, hidden fields included. It is locked until the
   * transaction ends, so values computed from it can be written back.
   */
  find<Name extends C['name']>(
    collection: Name,
    id: string,
  ): Promise<RecordOf<CollectionNamed<C, Name>> | null>
  /**
   * Defers work to the end of the write, such as a recount after several records of a batch have
   * changed. Of all work with the same key, only the last runs. Consecutive requests of a batch
   * that do the same to one collection, without `expand`, share one end.
   */
  atEnd(key: string, work: () => Promise<void>): void
}

/**
 * Something that the application keeps for as long as a transaction runs.
 *
 * @param initial makes it when a transaction asks for it first
 */
export function perTransaction<T>(initial: () => T): (tx: Transaction) => T {
  const kept = new WeakMap<Transaction, T>()
  return (tx) => kept.getOrInsertComputed(tx, initial)
}
