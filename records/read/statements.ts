import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { fromClause, ruleCondition, type RuleContext, type FromClause } from '../access/rule.ts'
import type { RequestInfo } from '../access/request.ts'
import {
  TooManyReadsError,
  QueryTimeoutError,
  type Database,
  type Db,
  type Row,
  type Scan,
  type Statement,
} from '../database/database.ts'
import { currentBudget } from '../database/request-budget.ts'
import { bind, placeholder } from '../database/placeholder.ts'
import { ApiError, tooManyRequests } from '../errors.ts'
import type { Input } from '../filter/input.ts'
import { tableOf } from '../filter/joins.ts'
import { and, column, type Sql } from '../filter/scope.ts'
import { memo } from '../memo.ts'
import type { Collection, Schema } from '../schema/collection.ts'
import { isSharedNetwork } from '../limits/address.ts'
import { wireForm } from './wire.ts'

/** Where reads run: in a transaction, or in the database, which can search in other threads. */
export type QuerySource = Db & Partial<Pick<Database, 'search'>>

/** One request's reads. */
export interface QueryContext extends RuleContext {
  db: QuerySource
  request: RequestInfo
  budget: ExpandBudget
}

/** How many characters of JSON a request's included records may still take, repetitions counted. */
export interface ExpandBudget {
  left: number
}

const maxIncluded = 8_000_000

/** The budget of one request, with all its parts. */
export function newExpandBudget(): ExpandBudget {
  return { left: maxIncluded }
}

/**
 * @param db a transaction reads what it wrote
 * @param budget shared by what is answered together
 */
export function queryContext(
  db: QuerySource,
  schema: Schema,
  request: RequestInfo,
  budget: ExpandBudget = newExpandBudget(),
): QueryContext {
  const viewer = request.viewer ? schema.find(request.viewer.collectionId) : undefined
  return { db, dialect: db.dialect, schema, viewer, request, budget }
}

/** Statements kept for each schema: a client's filters make new ones without end. */
const maxStatements = 1000
/** Characters of all their keys: a statement takes as much memory as the filter it was made from. */
const maxCharacters = 200_000
const caches = memo(
  (_schema: Schema) =>
    new LRUCache<string, object>({
      max: maxStatements,
      maxSize: maxCharacters,
      sizeCalculation: (_, key) => key.length,
    }),
)

/**
 * @param key the same for the same statement, whatever its placeholders are bound to
 * @returns the cached result of `make`
 */
export function cached<T extends object>(context: RuleContext, key: string, make: () => T): T {
  const cache = caches(context.schema)
  const full = `${context.dialect.name} ${context.viewer?.id ?? ''} ${key}`
  const known = cache.get(full) as T | undefined
  if (known) return known
  const made = make()
  cache.set(full, made)
  return made
}

/**
 * Runs a cached statement with what this request brings.
 *
 * @throws ApiError 400 if it takes longer than reads may, 429 if the client has too much waiting
 */
export async function execute<More extends object>(
  { db, request }: Pick<QueryContext, 'db' | 'request'>,
  statement: Statement,
  more: More,
): Promise<Row[]> {
  const input: Input & More = { literals: [], request, now: new Date(), ...more }
  const parameters = bind(statement.parameters, input)
  try {
    if (statement.scan && db.search)
      return await db.search(statement.sql, parameters, clientOf(request), statement.scan)
    return await db.query(statement.sql, parameters)
  } catch (error) {
    if (error instanceof TooManyReadsError) throw tooManyRequests(busyWait, '', error)
    if (!(error instanceof QueryTimeoutError)) throw error
    throw timeoutError(error)
  }
}

/** @returns the refusal of what would take longer than reads may */
export function timeoutError(cause: unknown): ApiError {
  return new ApiError(400, 'The request takes too long. Ask for less at a time.', {}, cause)
}

/**
 * @returns whose turn it is: what the process asks, such as for an event, is not to be lost for the
 *   reads of clients; what a page asks is its visitor's; behind an address that many share it is
 *   nobody's own
 */
function clientOf({ network }: RequestInfo): string | null {
  if (network === undefined) return null
  const from = network || (currentBudget()?.network ?? '')
  return isSharedNetwork(from) ? '' : from
}

/** Milliseconds until a client that has too much waiting may come again. */
const busyWait = 5000

/** The row of an id if it satisfies the rule; nothing selected but the wire's columns. */
export function viewStatement(
  context: RuleContext,
  collection: Collection,
  rule: string,
): Statement {
  return cached(context, `view ${collection.id} ${rule}`, () => {
    const from = fromClause(context, collection)
    return selectStatement(from, wireColumns(from), [isId(from), ruleCondition(from, rule)])
  })
}

/** @returns the condition that a row has the id the statement is bound with */
export function isId(from: FromClause): Sql {
  const id = from.dialect.text(placeholder<{ id: string }>((input) => input.id))
  return sql`${column(from.alias, 'id')} = ${id}`
}

/** A statement whose conditions begin with {@link withinTimeout}. */
export function withScan(scan: Scan, statement: Statement): Statement {
  return { ...statement, scan }
}

/** The condition that ends a broad or narrow statement when it takes too long. */
export function withinTimeout({ dialect, collection, alias }: FromClause): Sql | undefined {
  return dialect.withinTimeout?.(collection.type === 'view' ? undefined : alias)
}

/**
 * A SELECT of rows for which all conditions hold. Conditions are passed in, as they add their joins to
 * the FROM clause before it is written.
 */
export function selectStatement(
  from: FromClause,
  columns: Sql,
  conditions: readonly (Sql | undefined)[],
  table?: Sql,
): Statement {
  return from.dialect.compile(sql`SELECT ${columns}${fromSql(from, table)}${whereAll(conditions)}`)
}

/** The columns of the wire, in its form's order. */
export function wireColumns(from: FromClause): Sql {
  const { columns } = wireForm(from.collection)
  return sql.join(columns.map((field) => column(from.alias, field.name)))
}

/** The FROM clause as SQL, with the joins added so far and a space in front. */
export function fromSql(from: FromClause, table: Sql = tableOf(from.collection)): Sql {
  return sql` FROM ${table} AS ${sql.id(from.alias)}${from.row.joins}`
}

/** @returns the WHERE clause with a space in front; nothing without conditions */
export function whereAll(conditions: readonly (Sql | undefined)[]): Sql {
  const real = conditions.filter((condition) => condition !== undefined)
  return real.length ? sql` WHERE ${and(real.map((condition) => sql`(${condition})`))}` : sql``
}

/** A SELECT of the rows that satisfy the rule, of the ids it is bound with. */
export function selectByIds(
  context: QueryContext,
  collection: Collection,
  rule: string,
  columns: (from: FromClause) => Sql = wireColumns,
): Statement {
  const from = fromClause(context, collection)
  const isOne = isOneOfIds(context, column(from.alias, 'id'))
  return selectStatement(from, columns(from), [isOne, ruleCondition(from, rule)])
}

/** Whether an id is one of those the statement is bound with. */
export function isOneOfIds(context: QueryContext, id: Sql): Sql {
  const list = placeholder<{ ids: readonly string[] }>(({ ids }) => JSON.stringify(ids))
  const given = sql.id('given')
  return sql`${id} IN (SELECT ${given}.value FROM ${context.dialect.jsonEach(context.dialect.text(list))} AS ${given})`
}
