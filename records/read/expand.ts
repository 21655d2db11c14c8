import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { fromClause, ruleCondition } from '../access/rule.ts'
import { covers } from '../access/scope.ts'
import type { Row, Statement } from '../database/database.ts'
import { ApiError } from '../errors.ts'
import type { ExpandTree } from './expand-tree.ts'
import { backRelation, type Hop } from '../filter/paths.ts'
import { tableOf } from '../filter/joins.ts'
import { column } from '../filter/scope.ts'
import { insertionOrder } from '../filter/sort.ts'
import type { Collection } from '../schema/collection.ts'
import { isMultiple, ownerField, type RelationField } from '../schema/field.ts'
import {
  execute,
  isOneOfIds,
  selectByIds,
  withScan,
  withinTimeout,
  cached,
  whereAll,
  wireColumns,
  type QueryContext,
} from './statements.ts'
import { wireForm } from './wire.ts'

/** Records of one back-relation for one record, and for all records of the page together. */
const maxBack = 1000
const maxBackRows = 20_000

/** Rows to write before other requests get a turn. */
const writtenAtOnce = 500

/** A record as JSON for the wire. */
export interface PresentedRecord {
  id: string
  json: string
}

/**
 * Serialises rows as records, with their relations expanded.
 *
 * @param rows as selected by {@link wireColumns}; further columns are ignored
 * @param isSelf whether the viewer is this record; only called for auth collections
 * @throws ApiError 400 if the expanded relations are too large, as each level repeats all of the
 *   next one
 */
export async function present(
  context: QueryContext,
  collection: Collection,
  rows: readonly Row[],
  tree: ExpandTree,
  isSelf = (id: string): boolean =>
    id === context.request.viewer?.id && collection.id === context.request.viewer.collectionId,
): Promise<PresentedRecord[]> {
  const { left } = context.budget
  const form = wireForm(collection)
  const at = form.position('id')!
  const rule = collection.auth?.manage ?? null
  const managed = rule === null ? nobody : await managedIds(context, collection, rule, rows, at)
  const expands = tree.size && rows.length ? await expandAll(context, collection, rows, tree) : []
  const shown: PresentedRecord[] = []
  let length = 0
  for (const [i, row] of rows.entries()) {
    const id = row[at] as string
    const isOwn =
      collection.type === 'auth' ? isSelf(id) || managed.has(id) : isOwner(context, collection, row)
    const json = form.write(row, isOwn, expands[i])
    shown.push({ id, json })
    length += json.length
    if (shown.length % writtenAtOnce > 0) continue
    // So many rows can only be expanded ones, each of which is repeated at least once.
    if (length > left) throw tooMuch()
    await setImmediate()
  }
  return shown
}

/** @returns whether the viewer owns the record */
function isOwner({ request: { viewer }, schema }: QueryContext, collection: Collection, row: Row) {
  const owner = ownerField(collection.fields)
  if (!viewer || !owner || schema.get(owner.collection).id !== viewer.collectionId) return false
  return row[wireForm(collection).position(owner.name) ?? -1] === viewer.id
}

/**
 * {@link present} for one chunk of a response. With expanded relations, all its records count
 * against the budget.
 */
export async function presentChunk(
  context: QueryContext,
  collection: Collection,
  rows: readonly Row[],
  tree: ExpandTree,
): Promise<PresentedRecord[]> {
  if (!tree.size) return present(context, collection, rows, tree)
  const { budget } = context
  const { left } = budget
  const shown = await present(context, collection, rows, tree)
  budget.left = shown.reduce((rest, { json }) => rest - json.length, left)
  if (budget.left < 0) throw tooMuch()
  return shown
}

const nobody: ReadonlySet<string> = new Set()

/** @returns the ids of the accounts among the rows that the viewer manages */
async function managedIds(
  context: QueryContext,
  collection: Collection,
  rule: string,
  rows: readonly Row[],
  at: number,
): Promise<ReadonlySet<string>> {
  if (!context.request.viewer || !rows.length) return nobody
  const statement = cached(context, `managed ${collection.id} ${rule}`, () =>
    selectByIds(context, collection, rule, ({ alias }) => column(alias, 'id')),
  )
  const ids = rows.map((row) => row[at] as string)
  return new Set((await execute(context, statement, { ids })).map(([id]) => String(id)))
}

/** @returns each row's `expand`; empty if no path is a relation */
async function expandAll(
  context: QueryContext,
  collection: Collection,
  rows: readonly Row[],
  tree: ExpandTree,
): Promise<string[]> {
  const parts: [name: string, json: (string | undefined)[]][] = []
  for (const [name, inner] of [...tree].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const json = await expandOne(context, collection, rows, name, inner)
    if (json) parts.push([name, json])
  }
  if (!parts.length) return []
  return rows.map((_, i) => {
    // Concatenated without copying: the text may be megabytes, and the same for many rows.
    let json = ''
    for (const [name, texts] of parts)
      if (texts[i] !== undefined) json += `${json ? ',' : ''}${JSON.stringify(name)}:` + texts[i]
    return '{' + json + '}'
  })
}

/**
 * @returns the related records by row; undefined if the relation doesn't exist or may not be
 *   expanded
 */
async function expandOne(
  context: QueryContext,
  collection: Collection,
  rows: readonly Row[],
  name: string,
  tree: ExpandTree,
): Promise<(string | undefined)[] | undefined> {
  const field = collection.fields.find((f) => f.name === name)
  if (field?.type === 'relation') {
    const at = wireForm(collection).position(name)
    if (at === undefined || field.readable === 'self') return undefined
    const isShown = (row: Row) => field.readable !== 'owner' || isOwner(context, collection, row)
    return forward(
      context,
      field,
      rows.map((row) => (isShown(row) ? idsOf(field, row[at]) : [])),
      tree,
    )
  }
  const back = field
    ? undefined
    : backRelation({ schema: context.schema, client: true }, collection, name)
  if (!back) return undefined
  const at = wireForm(collection).position('id')!
  return backward(
    context,
    back,
    rows.map((row) => row[at] as string),
    tree,
  )
}

function idsOf(field: RelationField, stored: Row[number] | undefined): string[] {
  if (isMultiple(field)) return JSON.parse(String(stored ?? '[]')) as string[]
  return stored ? [String(stored)] : []
}

async function forward(
  context: QueryContext,
  field: RelationField,
  idsByRow: readonly string[][],
  tree: ExpandTree,
): Promise<(string | undefined)[] | undefined> {
  const target = context.schema.get(field.collection)
  const rule = target.rules.view
  if (rule === null || !covers(context.scope, target)) return undefined
  const statement = cached(context, `expand ${target.id}`, () => selectByIds(context, target, rule))
  const ids = [...new Set(idsByRow.flat())]
  const rows = ids.length ? await run(context, statement, ids) : []
  const records = await presentInner(context, target, rows, tree)
  const shown = new Map(records.map((record) => [record.id, record.json]))
  const found = idsByRow.map((wanted) => wanted.flatMap((id) => shown.get(id) ?? []))
  return included(context, found, !isMultiple(field))
}

/**
 * Doesn't count the rows' own expanded relations, as those count each time the rows are expanded.
 */
async function presentInner(
  context: QueryContext,
  collection: Collection,
  rows: readonly Row[],
  tree: ExpandTree,
): Promise<PresentedRecord[]> {
  const { left } = context.budget
  const shown = await present(context, collection, rows, tree)
  context.budget.left = left
  return shown
}

/** Counts before concatenating, as the text could exceed the memory. */
function included(
  context: QueryContext,
  found: readonly (readonly string[])[],
  single: boolean,
): (string | undefined)[] {
  for (const list of found) for (const json of list) context.budget.left -= json.length
  if (context.budget.left < 0) throw tooMuch()
  return found.map((list) => (single || !list.length ? list[0] : `[${list.join(',')}]`))
}

function tooMuch(): ApiError {
  return new ApiError(400, 'The expanded relations are too large. Ask for fewer of them at a time.')
}

function run(context: QueryContext, statement: Statement, ids: readonly string[]): Promise<Row[]> {
  return execute({ ...context, request: { ...context.request, context: 'expand' } }, statement, {
    ids,
  })
}

/** Expands a back-relation to the records that the viewer may both list and view. */
async function backward(
  context: QueryContext,
  back: Extract<Hop, { type: 'back' }>,
  ids: readonly string[],
  tree: ExpandTree,
): Promise<(string | undefined)[] | undefined> {
  const { list, view } = back.target.rules
  if (list === null || view === null || !covers(context.scope, back.target)) return undefined
  const rules = list === view ? [list] : [list, view]
  const statement = cached(context, `expand ${back.target.id} ${back.field.name}`, () =>
    backwardStatement(context, back, rules),
  )
  const rows = await run(context, statement, ids)
  if (rows.length > maxBackRows) throw tooMuch()
  const shown = await presentInner(context, back.target, rows, tree)
  const byId = Map.groupBy(
    shown.map(({ json }, i) => ({ json, of: rows[i]!.at(-2) })),
    ({ of }) => of,
  )
  const found = ids.map((id) => byId.get(id)?.map(({ json }) => json) ?? [])
  return included(context, found, back.single)
}

function backwardStatement(
  context: QueryContext,
  back: Extract<Hop, { type: 'back' }>,
  rules: readonly string[],
): Statement {
  const clause = fromClause(context, back.target)
  const by = column(clause.alias, back.field.name)
  const isList = isMultiple(back.field)
  const named = isList ? column('item', 'value') : by
  const items = isList ? sql` JOIN ${context.dialect.jsonEach(by)} AS item ON TRUE` : sql``
  const where = whereAll([
    withinTimeout(clause),
    isOneOfIds(context, named),
    sql`${named} <> ''`,
    ...rules.map((rule) => ruleCondition(clause, rule)),
  ])
  const order = sql.join(insertionOrder(clause))
  const rank = sql`ROW_NUMBER() OVER (PARTITION BY ${named} ORDER BY ${order})`
  const from = sql` FROM ${tableOf(back.target)} AS ${sql.id(clause.alias)}${items}${clause.row.joins}`
  // No field can have a name with @.
  const ranked = sql`SELECT ${wireColumns(clause)}, ${named} AS "@named", ${rank} AS "@rank"${from}${where}`
  return withScan(
    'broad',
    context.dialect.compile(
      sql`SELECT * FROM (${ranked}) AS ranked WHERE "@rank" <= ${sql.lit(maxBack)} ORDER BY "@rank" LIMIT ${sql.lit(maxBackRows + 1)}`,
    ),
  )
}
