import { sql } from 'kysely'
import type { Dialect } from '../database/database.ts'
import { placeholder } from '../database/placeholder.ts'
import { asText, storableJson } from '../filter/input.ts'
import type { Sql } from '../filter/scope.ts'
import type { Collection, Schema } from '../schema/collection.ts'
import { holdsJson, isMultiple, type Field, type Rule } from '../schema/field.ts'
import { encode, type StoredRecord } from '../schema/values.ts'
import {
  execute,
  fromSql,
  isId,
  cached,
  queryContext,
  selectStatement,
  whereAll,
  type QuerySource,
  withScan,
} from './statements.ts'
import type { RequestInfo } from '../filter/request.ts'
import { fromClause, ruleCondition, clientContext } from '../access/rule.ts'
import { compile } from '../filter/compile.ts'
import { lexFilter } from '../filter/lexer.ts'
import { isCheap } from '../filter/narrow.ts'
import { parse } from '../filter/parser.ts'

/**
 * @param rule null lets nobody in and '' everyone; otherwise an expression over the stored record
 * @param lock on PostgreSQL, locks the row until the transaction ends
 * @returns whether the record exists and satisfies the rule
 */
export async function allows(
  db: QuerySource,
  schema: Schema,
  collection: Collection,
  rule: Rule,
  id: string,
  request: RequestInfo,
  lock: 'KEY SHARE' | '' = '',
): Promise<boolean> {
  if (rule === null || id.includes('\0')) return false
  const context = queryContext(db, schema, request)
  const statement = cached(context, `allows ${lock} ${collection.id} ${rule}`, () => {
    const from = fromClause(context, collection)
    const where = whereAll([isId(from), ruleCondition(from, rule)])
    const held = lock ? sql` FOR ${sql.raw(lock)} OF ${sql.id(from.alias)}` : sql``
    return db.dialect.compile(sql`SELECT 1${fromSql(from)}${where}${held}`)
  })
  return (await execute(context, statement, { id })).length > 0
}

/**
 * Whether a record may be created. The rule is checked against the values as if they were stored;
 * nothing is written.
 *
 * @param values every field of the collection, as it would be stored
 */
export async function allowsNew(
  db: QuerySource,
  schema: Schema,
  collection: Collection,
  rule: Rule,
  values: StoredRecord,
  request: RequestInfo,
): Promise<boolean> {
  if (rule === null) return false
  if (rule === '') return true
  const context = queryContext(db, schema, request)
  const statement = cached(context, `new ${collection.id} ${rule}`, () => {
    const used = new Set<string>()
    const from = { ...fromClause(context, collection), used }
    const condition = ruleCondition(from, rule)
    const fields = collection.fields.filter(({ name }) => name === 'id' || used.has(name))
    return selectStatement(from, sql`1`, [condition], virtualRow(db.dialect, fields))
  })
  return (await execute(context, statement, { values })).length > 0
}

/** @param fields the fields the rule uses */
function virtualRow(dialect: Dialect, fields: readonly Field[]): Sql {
  const columns = fields.map(
    (field) => sql`${virtualColumn(dialect, field)} AS ${sql.id(field.name)}`,
  )
  return sql`(SELECT ${sql.join(columns)})`
}

function virtualColumn(dialect: Dialect, field: Field): Sql {
  const value = placeholder<{ values: StoredRecord }>(({ values }) => {
    const encoded = encode(field, values[field.name])
    if (typeof encoded !== 'string') return encoded
    return holdsJson(field) ? storableJson(encoded) : asText(encoded)
  })
  if (!isMultiple(field)) {
    if (field.type === 'number') return dialect.number(value)
    if (field.type === 'bool') return sql`CAST(${value} AS BOOLEAN)`
  }
  return dialect.bytewise(dialect.text(value))
}

/**
 * Whether a record matches a client's filter. {@link allows} decides whether the client may see the
 * record at all.
 *
 * @throws ApiError 400 for an invalid filter
 */
export async function matches(
  db: QuerySource,
  schema: Schema,
  collection: Collection,
  id: string,
  request: RequestInfo,
  filter: string,
): Promise<boolean> {
  const context = queryContext(db, schema, request)
  const { tokens, literals, shape } = lexFilter(filter)
  const statement = cached(context, `matches ${collection.id} ${shape}`, () => {
    const from = fromClause(context, collection)
    const tree = parse(tokens)
    const found = compile(clientContext(from), tree)
    const made = selectStatement(from, sql`1`, [isId(from), found])
    return isCheap(collection, tree) ? made : withScan('broad', made)
  })
  return !id.includes('\0') && (await execute(context, statement, { id, literals })).length > 0
}
