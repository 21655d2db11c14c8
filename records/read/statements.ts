import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { fromClause, ruleCondition, type RuleContext, type FromClause } from '../access/rule.ts'
import type { RequestInfo } from '../filter/request.ts'
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

/** Where reads run: a transaction, or the database, which can run searches in other threads. */
export type QuerySource = Db & Partial<Pick<Database, 'search'>>

/** The context of one request's reads. */
export interface QueryContext extends RuleContext {
  db: QuerySource
  request: RequestInfo
  budget: ExpandBudget
}

/** Characters of JSON left for a request's expanded relations; repetitions count. */
export interface ExpandBudget {
  left: number
}

const maxIncluded = 8_000_000

/** @returns a new budget for one request */
export function newExpandBudget(): ExpandBudget {
  return { left: maxIncluded }
}

/**
 * @param db a transaction also sees its own writes
 * @param budget shared by all records of one response
 */
export function queryContext(
  db: QuerySource,
  schema: Schema,
  request: RequestInfo,
  budget: ExpandBudget = newExpandBudget(),
): QueryContext {
  const viewer = request.viewer ? schema.find(request.viewer.collectionId) : undefined
  const scope = request.viewer?.scope
  return { db, dialect: db.dialect, schema, viewer, scope, request, budget }
}

/** Cached statements per schema. Clients' filters can create any number of them. */
const maxStatements = 1000
/**
 * Total characters of the cache's keys: a statement's memory grows with the filter it was compiled
 * from.
 */
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
 * @param key equal for equal statements, whatever their placeholders are bound to
 * @returns the cached result of `make`
 */
export function cached<T extends object>(context: RuleContext, key: string, make: () => T): T {
  const cache = caches(context.schema)
  const covered = context.scope?.collections.join() ?? ''
  const full = `${context.dialect.name} ${context.viewer?.id ?? ''} ${covered} ${key}`
  const known = cache.get(full) as T | undefined
  if (known) return known
  const made = make()
  cache.set(full, made)
  return made
}

/**
 * Runs a cached statement with the request's values.
 *
 * @throws ApiError 400 if it exceeds the read timeout, 429 if the client has too many reads waiting
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

/** @returns the error for a read that takes too long */
export function timeoutError(cause: unknown): ApiError {
  return new ApiError(400, 'The request takes too long. Ask for less at a time.', {}, cause)
}

/**
 * @returns the client whose turn in the queue a read takes: null for the process's own reads, such
 *   as for an event, which must not be refused; the visitor's network for reads of a page; '' for
 *   an address that many clients share
 */
function clientOf({ network }: RequestInfo): string | null {
  if (network === undefined) return null
  const from = network || (currentBudget()?.network ?? '')
  return isSharedNetwork(from) ? '' : from
}

/** Milliseconds after which a client with too many waiting reads may try again. */
const busyWait = 5000

/** Selects the wire's columns of the row with an id if it satisfies the rule. */
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

/** @returns the condition that a row has the bound id */
export function isId(from: FromClause): Sql {
  const id = from.dialect.text(placeholder<{ id: string }>((input) => input.id))
  return sql`${column(from.alias, 'id')} = ${id}`
}

/**
 * Marks a statement for `Database.search`. Its conditions must begin with {@link withinTimeout}.
 */
export function withScan(scan: Scan, statement: Statement): Statement {
  return { ...statement, scan }
}

/** The condition that aborts a broad or narrow statement at its timeout. */
export function withinTimeout({ dialect, collection, alias }: FromClause): Sql | undefined {
  return dialect.withinTimeout?.(collection.type === 'view' ? undefined : alias)
}

/**
 * Selects the rows that satisfy all conditions. Conditions must be compiled before, as they add
 * their joins to the FROM clause.
 */
export function selectStatement(
  from: FromClause,
  columns: Sql,
  conditions: readonly (Sql | undefined)[],
  table?: Sql,
): Statement {
  return from.dialect.compile(sql`SELECT ${columns}${fromSql(from, table)}${whereAll(conditions)}`)
}

/** The wire's columns, in the order that {@link wireForm} writes them. */
export function wireColumns(from: FromClause): Sql {
  const { columns } = wireForm(from.collection)
  return sql.join(columns.map((field) => column(from.alias, field.name)))
}

/** The FROM clause as SQL, with the joins added so far and a leading space. */
export function fromSql(from: FromClause, table: Sql = tableOf(from.collection)): Sql {
  return sql` FROM ${table} AS ${sql.id(from.alias)}${from.row.joins}`
}

/** @returns the WHERE clause with a leading space; empty if there are no conditions */
export function whereAll(conditions: readonly (Sql | undefined)[]): Sql {
  const real = conditions.filter((condition) => condition !== undefined)
  return real.length ? sql` WHERE ${and(real.map((condition) => sql`(${condition})`))}` : sql``
}

/** Selects the rows with the bound ids that satisfy the rule. */
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

/** The condition that an id is one of the bound ones. */
export function isOneOfIds(context: QueryContext, id: Sql): Sql {
  const list = placeholder<{ ids: readonly string[] }>(({ ids }) => JSON.stringify(ids))
  const given = sql.id('given')
  return sql`${id} IN (SELECT ${given}.value FROM ${context.dialect.jsonEach(context.dialect.text(list))} AS ${given})`
}
