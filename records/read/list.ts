import { sql } from 'kysely'
import type { RequestInfo } from '../access/request.ts'
import { clientView, refuseLocked, rowsOf, ruleCondition, type Rows } from '../access/rule.ts'
import type { Reach, Row, Statement } from '../database/database.ts'
import { slot } from '../database/slot.ts'
import { present, type Shown } from './expand.ts'
import { parseExpand } from './expand-tree.ts'
import { compile } from '../filter/compile.ts'
import { lexFilter, type Lexed } from '../filter/lexer.ts'
import { isLookup, isNarrow } from '../filter/narrow.ts'
import { parse } from '../filter/parser.ts'
import { column, type Sql } from '../filter/scope.ts'
import type { Node } from '../filter/tree.ts'
import { compileSort, insertionOrder } from '../filter/sort.ts'
import {
  groupable,
  inGroups,
  maxGroups,
  readGroups,
  selectGroups,
  type GroupInput,
} from './groups.ts'
import { parseFields, pickJson, type Shape } from './pick.ts'
import { inChunks } from './chunks.ts'
import type { Collection, Schema } from '../schema/collection.ts'
import type { Field } from '../schema/field.ts'
import {
  execute,
  fromRows,
  inTime,
  cached,
  reaching,
  queryContext,
  whereAll,
  wireColumns,
  type QueryContext,
  type Source,
} from './statements.ts'
import { safeJson } from './wire.ts'

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
  /** The envelope as JSON text, without a line end, as far as `rest` does not follow. */
  json: string
  /** What follows where it is very long; records are read when it is asked for them. */
  rest?: AsyncGenerator<string> | undefined
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
  const { list: rule } = collection.rules
  refuseLocked(rule)
  const context = queryContext(db, schema, request)
  const picker = parseFields(params.fields)
  const query = { ...params, collection, rule, filter: lexed(params.filter) }
  const statements = listStatements(context, query)
  const found = await runPage(context, query, statements)
  return presentPage(context, query, found, picker)
}

function lexed(filter: string): Lexed | null {
  return filter === '' ? null : lexFilter(filter)
}

type Picker = ReturnType<typeof parseFields>

/** Writes the records of a page: at once, or some at a time while a long page is sent. */
async function presentPage(
  context: QueryContext,
  query: PageQuery,
  { rows, totalItems }: FoundPage,
  picker: Picker,
): Promise<ListResult> {
  const { collection, rule, page, perPage } = query
  const tree = parseExpand(query.expand)
  const totals = { count: rows.length, totalItems }
  const found: Page = { ...totals, page, perPage }
  if (!isLong(query)) {
    const shown = await present(context, collection, rows, tree)
    const json = safeJson(`${opening}${itemsOf(shown, picker)}${closing(found)}`)
    return { ...totals, json }
  }
  const ids = rows.map(([id]) => String(id))
  const text = writePage(found, inChunks(context, collection, rule, ids, tree), picker)
  // With what is included it has a limit, which is to be known before anything is answered.
  return { ...totals, ...(await begin(text, tree.size ? Number.POSITIVE_INFINITY : heldAtMost)) }
}

interface Page extends Pick<ListResult, 'count' | 'totalItems'> {
  page: number
  perPage: number
}

const opening = '{"items":['

function itemsOf(shown: readonly Shown[], picker: Picker): string {
  return shown.map(({ json }) => pickJson(json, picker)).join(',')
}

/** @param size how many a page is said to have; what was asked for unless given */
function closing({ page, perPage, totalItems }: Page, size = perPage): string {
  const totalPages = totalItems < 0 ? -1 : Math.ceil(totalItems / perPage)
  return `],"page":${page},"perPage":${size},"totalItems":${totalItems},"totalPages":${totalPages}}`
}

async function* writePage(
  found: Page,
  pieces: AsyncGenerator<readonly Shown[]>,
  picker: Picker,
): AsyncGenerator<string> {
  yield opening
  let written = 0
  for await (const shown of pieces) {
    if (!shown.length) continue
    const items = itemsOf(shown, picker)
    yield safeJson(written ? `,${items}` : items)
    written += shown.length
  }
  // Of a full page some may have gone meanwhile; clients tell by this that there is a next one.
  yield closing(found, found.count === found.perPage ? written : found.perPage)
}

/** @returns the text as far as it goes with so many characters, and what is left of it */
async function begin(
  text: AsyncGenerator<string>,
  most: number,
): Promise<Pick<ListResult, 'json' | 'rest'>> {
  let json = ''
  for (;;) {
    const { value, done } = await text.next()
    if (done) return { json }
    json += value
    if (json.length > most) return { json, rest: text }
  }
}

/** Records of a page that are read at once. */
const shortPage = 50
/** Characters of a page that is not made while it is sent. */
const heldAtMost = 1_000_000

/** Whether only the ids of the page are found, and its records then read in pieces. */
function isLong({ collection, perPage }: Query): boolean {
  return perPage > shortPage && collection.type !== 'view'
}

interface Query {
  collection: Collection
  rule: string
  filter: Lexed | null
  sort: string
  /** Part of the statement: SQLite prepares anew whenever a LIMIT is bound. */
  perPage: number
}

/** A list request with its filter lexed. */
interface PageQuery extends Query, Pick<ListParams, 'page' | 'skipTotal' | 'expand'> {}

interface FoundPage {
  rows: Row[]
  totalItems: number
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
  /** Where groups can be told apart; `open` is a page for when all that is found may be seen. */
  groups: { fields: readonly Field[]; statement: Statement; open: Statement } | undefined
}

/** One page of what the viewer may list, and how many there are. */
function listStatements(context: QueryContext, query: Query): ListStatements {
  return cached(context, `list ${keyOf(query)}`, () => {
    const asked = readQuery(query)
    const rows = rowsOf(context, query.collection)
    const where = conditions(rows, asked, ruleCondition(rows, query.rule))
    // Before the sort joins what only it needs.
    const count = compiled(context, asked, sql`SELECT COUNT(*)${fromRows(rows)}${where}`)
    const page = compiled(context, asked, selectPage(rows, query, where))
    const fields = groupable(context, query.collection, query.rule)
    return { page, count, groups: fields && groupStatements(context, asked, fields) }
  })
}

function groupStatements(context: QueryContext, query: Asked, fields: readonly Field[]) {
  const { collection, tree } = query
  const counted = rowsOf(context, collection)
  const isCounted = tree !== null && isLookup(collection, tree)
  // To count what an index finds takes less than to look at the clock.
  const clock = isCounted ? undefined : inTime(counted)
  const where = whereAll([clock, filterOf(counted, query)])
  const groups = selectGroups(counted, query.rule, fields, where)
  const rows = rowsOf(context, query.collection)
  const open = compiled(context, query, selectPage(rows, query, conditions(rows, query)))
  return { fields, statement: compiled(context, query, groups), open }
}

/** One page of the groups of rows that were found to be for this viewer. */
function pageOfGroups(
  context: QueryContext,
  query: Query,
  fields: readonly Field[],
  size: number,
): Statement {
  return cached(context, `groups ${size} ${keyOf(query)}`, () => {
    const asked = readQuery(query)
    const rows = rowsOf(context, query.collection)
    const own = inGroups(rows, fields, size, query.filter !== null)
    return compiled(context, asked, selectPage(rows, query, conditions(rows, asked, own)))
  })
}

function keyOf({ collection, filter, sort, perPage }: Query): string {
  return `${collection.id} ${perPage} ${JSON.stringify(sort)}${filter ? `?${filter.shape}` : ''}`
}

/** A query whose filter was read, for its statements to be made. */
interface Asked extends Query {
  tree: Node | null
  reach: Reach
}

function readQuery(query: Query): Asked {
  const tree = query.filter && parse(query.filter.tokens)
  const reach = isNarrow(query.collection, tree, query.sort) ? 'narrow' : 'broad'
  return { ...query, tree, reach }
}

/** The WHERE clause of what the client asks for and what comes before it. */
function conditions(rows: Rows, query: Asked, before?: Sql): Sql {
  return whereAll([inTime(rows), before, filterOf(rows, query)])
}

function filterOf(rows: Rows, { tree }: Asked): Sql | undefined {
  return tree ? compile(clientView(rows), tree) : undefined
}

function compiled(context: QueryContext, { reach }: Asked, fragment: Sql): Statement {
  return reaching(reach, context.dialect.compile(fragment))
}

interface PageInput extends Partial<GroupInput> {
  offset: number
}

function selectPage(rows: Rows, query: Query, where: ReturnType<typeof whereAll>) {
  const { sort, perPage } = query
  const sorted = compileSort(clientView(rows), sort)
  const order = sql.join(sorted.length ? sorted : insertionOrder(rows))
  const offset = slot<PageInput>((input) => input.offset)
  const columns = isLong(query) ? column(rows.alias, 'id') : wireColumns(rows)
  return sql`SELECT ${columns}${fromRows(rows)}${where} ORDER BY ${order} LIMIT ${sql.lit(perPage)} OFFSET ${offset}`
}
