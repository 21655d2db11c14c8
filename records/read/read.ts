import { sql } from 'kysely'
import type { RequestInfo } from '../filter/request.ts'
import { refuseLockedRule } from '../access/rule.ts'
import { requireScope } from '../access/scope.ts'
import { query } from '../database/query.ts'
import { ApiError } from '../errors.ts'
import { present } from './expand.ts'
import { parseExpand } from './expand-tree.ts'
import { chunkText, maxTextLength } from './large-text.ts'
import { parseFields, pickJson, type ResponseShape } from './pick.ts'
import type { Collection, Schema } from '../schema/collection.ts'
import type { RecordOf, StoredRecord } from '../schema/record-of.ts'
import { toRecord } from '../schema/values.ts'
import {
  execute,
  queryContext,
  viewStatement,
  type ExpandBudget,
  type QuerySource,
} from './statements.ts'
import { safeJson, wireRow } from './wire.ts'

export { allows, allowsNew, matches } from './allows.ts'
export { listRecords } from './list.ts'
export type { ListParams } from './list-page.ts'
export { newExpandBudget, type ExpandBudget, type QuerySource } from './statements.ts'

/** How to serialise one record. */
interface PresentOptions extends ResponseShape {
  /** Includes fields that only the account itself may read, even if it isn't signed in yet. */
  asSelf?: boolean | undefined
  /** The budget shared by the records of one response. */
  budget?: ExpandBudget | undefined
  /** The stored record, if known; with a rule it is read again anyway. */
  stored?: StoredRecord | undefined
}

/**
 * One record as the viewer sees it.
 *
 * @returns its JSON text without a final line break, in pieces if it is very large; null if it
 *   doesn't exist or the viewer may not see it
 * @throws ApiError 403 if nobody may view the collection or the viewer's token doesn't cover it
 */
export async function viewRecord(
  db: QuerySource,
  schema: Schema,
  collection: Collection,
  id: string,
  request: RequestInfo,
  shape: ResponseShape = {},
): Promise<{ json: string; rest?: AsyncGenerator<string> } | null> {
  requireScope(request.viewer, 'read', collection)
  const { view } = collection.rules
  refuseLockedRule(view)
  const json = await unescapedRecord(db, schema, collection, view, id, request, shape)
  if (json === null) return null
  return json.length > maxTextLength
    ? { json: '', rest: chunkText([json]) }
    : { json: safeJson(json) }
}

/**
 * One record without checking the view rule, for the responses of create, update and sign-in.
 *
 * @returns its JSON text without a final line break
 * @throws ApiError 404 if there is no such record
 */
export async function presentRecord(
  db: QuerySource,
  schema: Schema,
  collection: Collection,
  id: string,
  request: RequestInfo,
  shape: PresentOptions = {},
): Promise<string> {
  const json = await findVisibleRecord(db, schema, collection, '', id, request, shape)
  if (json === null) throw new ApiError(404)
  return json
}

/**
 * One record, checked against the given rule, such as the list rule for subscribers to a whole
 * list.
 *
 * @returns its JSON text without a final line break; null if it doesn't exist or doesn't satisfy
 *   the rule
 */
export async function findVisibleRecord(
  db: QuerySource,
  schema: Schema,
  collection: Collection,
  rule: string,
  id: string,
  request: RequestInfo,
  shape: PresentOptions,
): Promise<string | null> {
  const json = await unescapedRecord(db, schema, collection, rule, id, request, shape)
  return json === null ? null : safeJson(json)
}

async function unescapedRecord(
  db: QuerySource,
  schema: Schema,
  collection: Collection,
  rule: string,
  id: string,
  request: RequestInfo,
  { expand, fields, asSelf, budget, stored }: PresentOptions,
): Promise<string | null> {
  const picker = parseFields(fields)
  // PostgreSQL can't store NUL, so no id contains it.
  if (id.includes('\0')) return null
  const context = queryContext(db, schema, request, budget)
  const rows =
    stored && rule === ''
      ? [wireRow(collection, stored)]
      : await execute(context, viewStatement(context, collection, rule), { id })
  const isSelf = asSelf ? () => true : undefined
  const [shown] = await present(context, collection, rows, parseExpand(expand), isSelf)
  return shown ? pickJson(shown.json, picker) : null
}

/**
 * @returns the stored record with its hidden fields, without checking any rule; null if it doesn't
 *   exist
 */
export async function findRecord<C extends Collection>(
  db: QuerySource,
  collection: C,
  id: string,
): Promise<RecordOf<C> | null> {
  if (id.includes('\0')) return null
  const columns = sql.join(collection.fields.map((field) => sql.ref(field.name)))
  const rows = await query(
    db,
    sql`SELECT ${columns} FROM ${sql.table(collection.name)} WHERE id = ${id}`,
  )
  return rows[0] ? toRecord(collection, rows[0]) : null
}

/** Records to read at a time when all of an owner's are needed. */
const batchSize = 250

/**
 * Every record whose relation names an id, with hidden fields and without checking any rule. They
 * come a few at a time, so that many take no more memory than few.
 *
 * @param field a relation to one record
 * @returns groups of records in the order of their ids
 */
export async function* recordsOf<C extends Collection>(
  db: QuerySource,
  collection: C,
  field: C['fields'][number]['name'],
  id: string,
): AsyncGenerator<RecordOf<C>[]> {
  const columns = sql.join(collection.fields.map(({ name }) => sql.ref(name)))
  for (let last = ''; ;) {
    const rows = await query(
      db,
      sql`SELECT ${columns} FROM ${sql.table(collection.name)}
        WHERE ${sql.ref(field)} = ${id} AND id > ${last} ORDER BY id LIMIT ${sql.lit(batchSize)}`,
    )
    const records = rows.map((row) => toRecord(collection, row))
    if (records.length) yield records
    if (rows.length < batchSize) return
    last = String(rows.at(-1)![0])
  }
}
