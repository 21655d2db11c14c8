import { sql } from 'kysely'
import type { RequestInfo } from './access/request.ts'
import { refuseLocked } from './access/rule.ts'
import { run } from './database/run.ts'
import { ApiError } from './errors.ts'
import { parseExpand, present } from './expand.ts'
import { lex, maxFilterBytes } from './filter/lexer.ts'
import { FilterError } from './filter/tree.ts'
import { parseFields, pickJson } from './pick.ts'
import type { Collection, Schema } from './schema/collection.ts'
import { toRecord, type StoredRecord } from './schema/values.ts'
import { execute, listStatements, reader, viewStatement, type Source } from './statements.ts'
import { safeJson } from './wire.ts'

export { allows, allowsNew } from './access/allows.ts'
export type { Source } from './statements.ts'

/** What a client may say about the form of a record: which relations to include, which keys. */
export interface Shape {
  /** Comma list of dot paths; '' for none. */
  expand?: string | undefined
  /** Comma list of keys; '' for all. */
  fields?: string | undefined
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
  const asker = reader(db, schema, request)
  const filter = params.filter === '' ? null : lexFilter(params.filter)
  const statements = listStatements(asker, collection, filter, params.sort)
  const picker = parseFields(params.fields)
  const { page, perPage } = params
  const offset = Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER)
  const literals = filter?.literals ?? []
  const rows = await execute(asker, statements.page, { literals, limit: perPage, offset })

  const isLast = rows.length < perPage && (rows.length > 0 || offset === 0)
  let totalItems = -1
  if (!params.skipTotal && isLast) totalItems = offset + rows.length
  else if (!params.skipTotal)
    totalItems = Number((await execute(asker, statements.count, { literals }))[0]![0])

  const shown = await present(asker, collection, rows, parseExpand(params.expand))
  const items = shown.map((record) => pickJson(record.json, picker)).join(',')
  const totalPages = totalItems < 0 ? -1 : Math.ceil(totalItems / perPage)
  const json = `{"items":[${items}],"page":${page},"perPage":${perPage},"totalItems":${totalItems},"totalPages":${totalPages}}`
  return { json: safeJson(json), count: rows.length, totalItems }
}

function lexFilter(filter: string) {
  if (Buffer.byteLength(filter) > maxFilterBytes) throw new FilterError('filter too long')
  return lex(filter)
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
  shape: Shape = {},
): Promise<string | null> {
  const { view } = collection.rules
  refuseLocked(view)
  return showOne(db, schema, collection, view, id, request, shape)
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
  shape: Shape & { asSelf?: boolean } = {},
): Promise<string> {
  const json = await showOne(db, schema, collection, '', id, request, shape)
  if (json === null) throw new ApiError(404)
  return json
}

async function showOne(
  db: Source,
  schema: Schema,
  collection: Collection,
  rule: string,
  id: string,
  request: RequestInfo,
  { expand, fields, asSelf }: Shape & { asSelf?: boolean },
): Promise<string | null> {
  const picker = parseFields(fields)
  // PostgreSQL knows no NUL, so neither does any id.
  if (id.includes('\0')) return null
  const asker = reader(db, schema, request)
  const rows = await execute(asker, viewStatement(asker, collection, rule), { id })
  const isSelf = asSelf ? () => true : undefined
  const [shown] = await present(asker, collection, rows, parseExpand(expand), isSelf)
  return shown ? safeJson(pickJson(shown.json, picker)) : null
}

/** @returns the stored record, hidden fields too, without asking any rule; null if missing */
export async function findRecord(
  db: Source,
  collection: Collection,
  id: string,
): Promise<StoredRecord | null> {
  if (id.includes('\0')) return null
  const columns = sql.join(collection.fields.map((field) => sql.ref(field.name)))
  const rows = await run(
    db,
    sql`SELECT ${columns} FROM ${sql.table(collection.name)} WHERE id = ${id}`,
  )
  return rows[0] ? toRecord(collection, rows[0]) : null
}
