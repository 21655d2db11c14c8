import type { RequestInfo } from './access/request.ts'
import type { Connection, Dialect } from './database/database.ts'
import type { Collection, Rule, Schema } from './schema/collection.ts'
import { toRecord, type StoredRecord } from './schema/values.ts'
import { quote } from './schema/table.ts'

/** Where reads run: the database or a transaction. */
export type Source = Connection & { readonly dialect: Dialect }

/** What a client may say about the form of a record: which relations to include, which keys. */
export interface Shape {
  /** Comma list of dot paths; '' for none. */
  expand?: string
  /** Comma list of keys; '' for all. */
  fields?: string
}

export interface ListParams extends Shape {
  /** From 1. */
  page: number
  /** 1 to 1000. */
  perPage: number
  /** Leaves the count out; both totals are then -1. */
  skipTotal: boolean
  sort: string
  filter: string
}

export interface ListResult {
  /** The envelope as JSON text, without a line end. */
  json: string
  /** How many records this page has. */
  count: number
  /** -1 when the count was left out. */
  totalItems: number
}

/**
 * The records of a collection that this viewer may list.
 *
 * @throws ApiError 403 if nobody may list it, 400 for a filter or sort that cannot be followed
 */
export async function listRecords(
  db: Source,
  schema: Schema,
  collection: Collection,
  request: RequestInfo,
  params: ListParams,
): Promise<ListResult> {
  throw new Error('in progress')
}

/**
 * One record as this viewer sees it.
 *
 * @returns its JSON text without a line end; null if it is missing or not for this viewer
 * @throws ApiError 403 if nobody may view the collection
 */
export async function viewRecord(
  db: Source,
  schema: Schema,
  collection: Collection,
  id: string,
  request: RequestInfo,
  shape?: Shape,
): Promise<string | null> {
  throw new Error('in progress')
}

/**
 * One record without asking the view rule: for the answers of create, update and sign-in.
 *
 * @param asSelf shows what only the account itself sees even if it is not signed in yet
 * @returns its JSON text without a line end
 * @throws ApiError 404 if there is no such record
 */
export async function presentRecord(
  db: Source,
  schema: Schema,
  collection: Collection,
  id: string,
  request: RequestInfo,
  shape?: Shape & { asSelf?: boolean },
): Promise<string> {
  throw new Error('in progress')
}

/** @returns the stored record, hidden fields too, without asking any rule; null if missing */
export async function findRecord(
  db: Source,
  collection: Collection,
  id: string,
): Promise<StoredRecord | null> {
  const columns = collection.fields.map((field) => quote(field.name)).join(', ')
  const parameter = db.dialect.name === 'postgres' ? '$1' : '?'
  const rows = await db.query(
    `SELECT ${columns} FROM ${quote(collection.name)} WHERE "id" = ${parameter}`,
    [id],
  )
  return rows[0] ? toRecord(collection, rows[0]) : null
}

/**
 * @param rule null is nobody, '' anybody, else an expression over the stored record
 * @returns whether the record is there and satisfies the rule
 */
export async function allows(
  db: Source,
  schema: Schema,
  collection: Collection,
  rule: Rule,
  id: string,
  request: RequestInfo,
): Promise<boolean> {
  throw new Error('in progress')
}

/**
 * Whether a record may be made: the rule is asked about the values as if they were stored; nothing
 * is written.
 *
 * @param values every field of the collection, as it would be stored
 */
export async function allowsNew(
  db: Source,
  schema: Schema,
  collection: Collection,
  rule: Rule,
  values: StoredRecord,
  request: RequestInfo,
): Promise<boolean> {
  throw new Error('in progress')
}
