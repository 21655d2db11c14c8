import { sql } from 'kysely'
import type { RequestInfo } from '../filter/request.ts'
import {
  clientContext,
  refuseLockedRule,
  fromClause,
  ruleCondition,
  type FromClause,
} from '../access/rule.ts'
import { requireScope } from '../access/scope.ts'
import type { Scan, Statement } from '../database/database.ts'
import { placeholder } from '../database/placeholder.ts'
import { compile } from '../filter/compile.ts'
import { lexFilter, type LexedFilter } from '../filter/lexer.ts'
import { allowsOwner, isIndexLookup, isNarrow, isLimitedToOwner } from '../filter/narrow.ts'
import { parse } from '../filter/parser.ts'
import { column, type Sql } from '../filter/scope.ts'
import type { Node } from '../filter/tree.ts'
import { compileSort, insertionOrder } from '../filter/sort.ts'
import {
  groupingFields,
  isInGroups,
  maxGroups,
  readGroups,
  selectGroups,
  type GroupInput,
} from './groups.ts'
import {
  isLong,
  presentPage,
  type FoundPage,
  type ListParams,
  type ListResult,
  type PageQuery,
  type Query,
} from './list-page.ts'
import { parseFields } from './pick.ts'
import type { Collection, Schema } from '../schema/collection.ts'
import type { Field } from '../schema/field.ts'
import {
  execute,
  fromSql,
  withinTimeout,
  cached,
  withScan,
  queryContext,
  whereAll,
  wireColumns,
  type QueryContext,
  type QuerySource,
} from './statements.ts'

/**
 * Lists the records of a collection that the viewer may list.
 *
 * @throws ApiError 403 if nobody may list it or the viewer's token doesn't cover it, 400 for an
 *   invalid filter or sort
 */
export async function listRecords(
  db: QuerySource,
  schema: Schema,
  collection: Collection,
  request: RequestInfo,
  params: ListParams,
): Promise<ListResult> {
  requireScope(request.viewer, 'read', collection)
  const { list: rule } = collection.rules
  refuseLockedRule(rule)
  const context = queryContext(db, schema, request)
  const picker = parseFields(params.fields)
  const filter = lexed(params.filter)
  const isOwn = isLimitedToOwner(collection, filter, request.viewer?.id)
  const query = { ...params, collection, rule, filter, isOwn }
  const statements = listStatements(context, query)
  const found = await runPage(context, query, statements)
  return presentPage(context, query, found, picker)
}

function lexed(filter: string): LexedFilter | null {
  return filter === '' ? null : lexFilter(filter)
}

async function runPage(
  context: QueryContext,
  query: PageQuery,
  statements: ListStatements,
): Promise<FoundPage> {
  const { page, perPage, skipTotal } = query
  const offset = Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER)
  const literals = query.filter?.literals ?? []
  const input = { literals, offset }
  if (statements.groups && !skipTotal) {
    const { fields, statement, open } = statements.groups
    const { groups, totalItems, allPassed } = readGroups(
      await execute(context, statement, { literals }),
    )
    if (totalItems <= offset) return { rows: [], totalItems }
    if (allPassed) return { rows: await execute(context, open, input), totalItems }
    if (groups.length > maxGroups)
      return { rows: await execute(context, statements.page, input), totalItems }
    const size = 2 ** Math.ceil(Math.log2(groups.length))
    const rows = await execute(context, pageOfGroups(context, query, fields, size), {
      ...input,
      groups,
    })
    return { rows, totalItems }
  }

  const rows = await execute(context, statements.page, input)
  if (skipTotal) return { rows, totalItems: -1 }
  const isLast = rows.length < perPage && (rows.length > 0 || offset === 0)
  if (isLast) return { rows, totalItems: offset + rows.length }
  const counted = await execute(context, statements.count, { literals })
  return { rows, totalItems: Number(counted[0]![0]) }
}

interface ListStatements {
  page: Statement
  count: Statement
  /** Set if the rows can be grouped; `open` is the page's statement for when all groups pass. */
  groups: { fields: readonly Field[]; statement: Statement; open: Statement } | undefined
}

/** The statements for one page of what the viewer may list, and for the count. */
function listStatements(context: QueryContext, query: Query): ListStatements {
  return cached(context, `list ${keyOf(query)}`, () => {
    const parsed = parseQuery(query)
    const { collection, isOwn } = query
    const rule = isOwn && allowsOwner(collection, query.rule) ? '' : query.rule
    const from = fromClause(context, collection)
    const where = conditions(from, parsed, ruleCondition(from, rule))
    // Made before the sort adds joins that the count doesn't need.
    const count =
      rule === ''
        ? countStatement(context, parsed)
        : compiled(context, parsed, sql`SELECT COUNT(*)${fromSql(from)}${where}`)
    const page = compiled(context, parsed, selectPage(from, query, where))
    const fields = groupingFields(context, collection, rule)
    return { page, count, groups: fields && groupStatements(context, parsed, fields) }
  })
}

/** Counts the rows that match the filter, for a rule that allows everyone. */
function countStatement(context: QueryContext, query: ParsedQuery): Statement {
  const from = fromClause(context, query.collection)
  const where = countedBy(from, query)
  return compiled(context, query, sql`SELECT COUNT(*)${fromSql(from)}${where}`)
}

/** The WHERE clause for counting by the filter alone. */
function countedBy(from: FromClause, query: ParsedQuery): Sql {
  const { collection, tree } = query
  const isCounted = tree !== null && isIndexLookup(collection, tree)
  // Counting by an index is faster than checking the clock.
  const clock = isCounted ? undefined : withinTimeout(from)
  return whereAll([clock, filterOf(from, query)])
}

function groupStatements(context: QueryContext, query: ParsedQuery, fields: readonly Field[]) {
  const counted = fromClause(context, query.collection)
  const where = conditions(counted, query)
  const groups = selectGroups(counted, query.rule, fields, where)
  const from = fromClause(context, query.collection)
  const open = compiled(context, query, selectPage(from, query, conditions(from, query)))
  return { fields, statement: compiled(context, query, groups), open }
}

/** A page of the rows in the groups that the viewer may see. */
function pageOfGroups(
  context: QueryContext,
  query: Query,
  fields: readonly Field[],
  size: number,
): Statement {
  return cached(context, `groups ${size} ${keyOf(query)}`, () => {
    const parsed = parseQuery(query)
    const from = fromClause(context, query.collection)
    const inGroups = isInGroups(from, fields, size, query.filter !== null)
    return compiled(context, parsed, selectPage(from, query, conditions(from, parsed, inGroups)))
  })
}

function keyOf({ collection, filter, sort, perPage, isOwn }: Query): string {
  return `${collection.id} ${perPage} ${isOwn ? 'own ' : ''}${JSON.stringify(sort)}${filter ? `?${filter.shape}` : ''}`
}

interface ParsedQuery extends Query {
  tree: Node | null
  scan: Scan
}

function parseQuery(query: Query): ParsedQuery {
  const tree = query.filter && parse(query.filter.tokens)
  const scan = isNarrow(query.collection, tree, query.sort) ? 'narrow' : 'broad'
  return { ...query, tree, scan }
}

/** The WHERE clause of the client's filter, with an optional condition before it. */
function conditions(from: FromClause, query: ParsedQuery, before?: Sql): Sql {
  return whereAll([withinTimeout(from), before, filterOf(from, query)])
}

function filterOf(from: FromClause, { tree }: ParsedQuery): Sql | undefined {
  return tree ? compile(clientContext(from), tree) : undefined
}

function compiled(context: QueryContext, { scan }: ParsedQuery, fragment: Sql): Statement {
  return withScan(scan, context.dialect.compile(fragment))
}

interface PageInput extends Partial<GroupInput> {
  offset: number
}

function selectPage(from: FromClause, query: Query, where: ReturnType<typeof whereAll>) {
  const { sort, perPage, isOwn } = query
  const sorted = compileSort({ ...clientContext(from), isOwn }, sort)
  const order = sql.join(sorted.length ? sorted : insertionOrder(from))
  const offset = placeholder<PageInput>((input) => input.offset)
  const columns = isLong(query) ? column(from.alias, 'id') : wireColumns(from)
  return sql`SELECT ${columns}${fromSql(from)}${where} ORDER BY ${order} LIMIT ${sql.lit(perPage)} OFFSET ${offset}`
}
