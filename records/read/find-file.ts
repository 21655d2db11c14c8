import { sql } from 'kysely'
import type { RequestInfo } from '../filter/request.ts'
import { fromClause, ruleCondition } from '../access/rule.ts'
import { requireScope } from '../access/scope.ts'
import { text } from '../database/columns.ts'
import { query } from '../database/query.ts'
import { column } from '../filter/scope.ts'
import type { Collection, Schema } from '../schema/collection.ts'
import { ownerField, type FileField } from '../schema/field.ts'
import { decode } from '../schema/values.ts'
import {
  execute,
  isId,
  cached,
  queryContext,
  selectStatement,
  type QuerySource,
} from './statements.ts'
import { findFileRow, type FileRow } from '../files/table.ts'

/** A file the viewer may see, and the field it was uploaded to. */
export interface FoundFile {
  row: FileRow
  field: FileField
  /** Whether anyone with its URL may see it. */
  isPublic: boolean
}

/**
 * Finds a record's file. Knowing the file's name isn't enough: the request must be allowed to view
 * the record.
 *
 * @returns null if there is no such file or record, or the request may not view it
 * @throws ApiError 403 if the viewer's token doesn't cover the collection
 */
export async function findFile(
  db: QuerySource,
  schema: Schema,
  collection: Collection,
  id: string,
  name: string,
  request: RequestInfo,
): Promise<FoundFile | null> {
  requireScope(request.viewer, 'read', collection)
  const field = await visibleField(db, schema, collection, id, name, request)
  const origin = field && (await originOf(db, schema, collection, field, id, name))
  const row = origin && (await findFileRow(db, origin.collection.id, origin.id, name))
  if (!row) return null
  // A shared cache may only keep the file if the decision depends on nothing but the URL.
  const visitor = { ...request, headers: {}, viewer: null }
  const isSame = request.viewer === null && !collection.rules.view?.includes('@request.headers')
  const isPublic =
    isSame || (await visibleField(db, schema, collection, id, name, visitor)) !== null
  return { row, field: origin.field, isPublic }
}

/** @returns the field of the record that names the file, if the request may see it */
async function visibleField(
  db: QuerySource,
  schema: Schema,
  collection: Collection,
  id: string,
  name: string,
  request: RequestInfo,
): Promise<FileField | null> {
  const { view } = collection.rules
  const fields = collection.fields.filter((field) => field.type === 'file')
  if (view === null || !fields.length || id.includes('\0')) return null
  const owner = ownerField(collection.fields)
  const context = queryContext(db, schema, request)
  const statement = cached(context, `files ${collection.id}`, () => {
    const from = fromClause(context, collection)
    const read = [...fields, ...(owner ? [owner] : [])]
    const columns = sql.join(read.map((field) => column(from.alias, field.name)))
    return selectStatement(from, columns, [isId(from), ruleCondition(from, view)])
  })
  const [row] = await execute(context, statement, { id })
  const at = fields.findIndex((field, i) => [decode(field, row?.[i])].flat().includes(name))
  const field = fields[at]
  if (!row || !field || !name) return null
  const { readable = 'everyone' } = field
  const { viewer } = request
  const isAccount = (of: Collection, account: unknown) =>
    viewer?.id === account && viewer?.collectionId === of.id
  if (readable === 'self') return isAccount(collection, id) ? field : null
  if (readable === 'owner')
    return owner && isAccount(schema.get(owner.collection), row[fields.length]) ? field : null
  return readable === 'everyone' ? field : null
}

/**
 * Finds the record a view's file was uploaded to; for other collections it is the record itself.
 */
async function originOf(
  db: QuerySource,
  schema: Schema,
  collection: Collection,
  field: FileField,
  id: string,
  name: string,
): Promise<{ collection: Collection; field: FileField; id: string } | null> {
  if (collection.type !== 'view') return { collection, field, id }
  if (!field.origin) return null
  const origin = schema.get(field.origin.collection)
  const own = origin.fields.find((one) => one.name === field.name)
  if (own?.type !== 'file') return null
  const [row] = await query(
    db,
    sql`SELECT id FROM ${sql.table(origin.name)} WHERE ${sql.ref(field.origin.by)} = ${id} AND ${sql.ref(field.name)} = ${name}`,
    { id: text },
  )
  return row ? { collection: origin, field: own, id: row.id } : null
}
