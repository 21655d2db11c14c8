import { sql } from 'kysely'
import {
  clientContext,
  fromClause,
  refuseLockedRule,
  ruleCondition,
  type RuleContext,
} from '../access/rule.ts'
import type { Dialect } from '../database/database.ts'
import { compile } from '../filter/compile.ts'
import { lexFilter } from '../filter/lexer.ts'
import { allowsOwner, isLimitedToOwner, isNarrow } from '../filter/narrow.ts'
import { parse } from '../filter/parser.ts'
import type { Viewer } from '../filter/request.ts'
import { column } from '../filter/scope.ts'
import type { Collection, Schema } from '../schema/collection.ts'
import {
  cached,
  execute,
  fromSql,
  queryContext,
  whereAll,
  withinTimeout,
  withScan,
  type QuerySource,
} from './statements.ts'

/** Which records to count, and which numbers of theirs to add up. */
export interface TotalQuery {
  /** null for a visitor. */
  viewer: Viewer | null
  /** In the clients' filter language. */
  filter: string
  /** Names of number fields. */
  sums: readonly string[]
  /** A condition as in rules, such as one on a hidden field that an index has. */
  only?: string
}

/**
 * Counts the records that a viewer may list, as a list's `totalItems` does, and adds up numbers of
 * theirs.
 *
 * @returns the count, then each sum
 * @throws ApiError 400 for an invalid filter
 */
export async function totalOf(
  db: QuerySource,
  schema: Schema,
  collection: Collection,
  { viewer, filter, sums, only = '' }: TotalQuery,
): Promise<number[]> {
  const { list } = collection.rules
  refuseLockedRule(list)
  const request = { context: 'default', method: 'GET', query: {}, headers: {}, body: {} } as const
  const context = queryContext(db, schema, { ...request, viewer, network: '' })
  const lexed = lexFilter(filter)
  const isOwn = isLimitedToOwner(collection, lexed, viewer?.id)
  const rule = isOwn && allowsOwner(collection, list) ? '' : list
  const key = `total ${collection.id} ${sums.join()} ${rule}&${only}?${lexed.shape}`
  const statement = cached(context, key, () => {
    const from = fromClause(context, collection)
    const tree = parse(lexed.tokens)
    const where = whereAll([
      withinTimeout(from),
      ruleCondition(from, rule),
      ruleCondition(from, only),
      compile(clientContext(from), tree),
    ])
    const columns = sums.map((name) => sql`SUM(${column(from.alias, name)})`)
    const selected = sql.join([sql`COUNT(*)`, ...columns])
    return withScan(
      isNarrow(collection, tree, '') ? 'narrow' : 'broad',
      context.dialect.compile(sql`SELECT ${selected}${fromSql(from)}${where}`),
    )
  })
  const [row = []] = await execute(context, statement, { literals: lexed.literals })
  return row.map(Number)
}

/**
 * Refuses a filter that visitors couldn't use.
 *
 * @throws ApiError 400
 */
export function checkFilter(
  schema: Schema,
  dialect: Dialect,
  collection: Collection,
  filter: string,
): void {
  const context: RuleContext = { schema, dialect, viewer: undefined }
  compile(clientContext(fromClause(context, collection)), parse(lexFilter(filter).tokens))
}
