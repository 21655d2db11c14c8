import { sql } from 'kysely'
import type { Dialect } from '../database/database.ts'
import { placeholder } from '../database/placeholder.ts'
import { toList } from '../schema/coerce.ts'
import type { Collection } from '../schema/collection.ts'
import { isMultiple, ownerField } from '../schema/field.ts'
import { asList, asText, type Input } from './input.ts'
import { isToMany, type FieldPath, type Hop, type PathContext } from './paths.ts'
import { column, type Scope, type Sql } from './scope.ts'

/** The context a filter is compiled in. */
export interface CompileContext extends PathContext {
  dialect: Dialect
  /** The FROM clause of the filtered rows. */
  row: Scope
  /** The alias of those rows' table. */
  alias: string
  /** Collects the columns of those rows that conditions use. */
  used?: Set<string> | undefined
  /** Reads a literal's value. */
  literal(index: number): (input: Input) => unknown
  /** The condition for a joined row to be visible; undefined if all are. */
  visible(target: Collection, alias: string): Sql | undefined
  /** Whether those rows are known to be the viewer's own. */
  isOwn?: boolean
}

/** A record in the FROM clause. */
export interface TableRef {
  /** Identifies the path to it: equal keys share one joined table. */
  key: string
  column(name: string): Sql
  /** Whether the record can be missing, every column then being NULL. */
  nullable: boolean
  /** Whether its texts sort by bytes; computed ones may not. */
  bytewise: boolean
  /**
   * 1 if the body names the records that the path starts with; 0 if it doesn't, so that nothing is
   * known about them.
   */
  sent?: Sql | undefined
}

/** Joins the records along a path. From the first to-many relation on, the joins go to `group`. */
export function joinPath(compiling: CompileContext, path: FieldPath, group: Scope): TableRef {
  let place = start(compiling, path)
  let scope = compiling.row
  for (const hop of path.hops) {
    if (isToMany(hop)) scope = group
    place = follow(compiling, place, hop, scope)
  }
  const isOwn = compiling.isOwn === true && path.hops.length === 0
  const nullable = place.nullable || (path.field?.readable === 'owner' && !isOwn)
  return { ...place, nullable, sent: sentBy(compiling, path) }
}

function sentBy(
  { dialect }: CompileContext,
  { origin, hops: [first] }: FieldPath,
): Sql | undefined {
  if (origin.type === 'row' || origin.name !== '@body' || !first || first.type === 'all')
    return undefined
  const name = first.type === 'back' ? 'id' : first.field.name
  const isSent = ({ request }: Input) => toList(origin.read(request)?.[name]).length > 0
  return dialect.number(placeholder<Input>((input) => Number(isSent(input))))
}

/**
 * @returns the key that comparisons share if they refer to the same to-many relation; '' if there
 *   is none
 */
export function toManyKey(path: FieldPath): string {
  const first = path.hops.findIndex(isToMany)
  if (first < 0) return ''
  const start = path.origin.type === 'row' ? '' : path.origin.name
  return [start, ...path.hops.slice(0, first + 1).map((hop) => hop.name)].join('.')
}

/** @returns the collection's table, or a view's SELECT */
export function tableOf(collection: Collection): Sql {
  if (!collection.select) return sql.table(collection.name)
  const viewer = placeholder<Input, string>((input) => input.request.viewer?.id ?? '')
  return sql`(${collection.select(viewer)})`
}

function start(compiling: CompileContext, path: FieldPath): TableRef {
  // A client may see fewer joined rows than a rule, so the two share no joins.
  const key = compiling.client ? 'client' : 'rule'
  const { origin } = path
  if (origin.type === 'row')
    return {
      key,
      column: (name) => {
        compiling.used?.add(name)
        if (compiling.isOwn) return column(compiling.alias, name)
        return seenColumn(compiling, compiling.collection, compiling.alias, name)
      },
      nullable: false,
      bytewise: true,
    }
  // The value sent for a multiple field may not be a list.
  const isList = path.hops[0]?.type === 'each' || path.hops[0]?.type === 'list'
  const text = (value: unknown) => (isList ? asList(value) : (asText(value) ?? ''))
  return {
    key: `${key}.${origin.name}`,
    column: (name) =>
      compiling.dialect.text(
        placeholder<Input>((input) => text(origin.read(input.request)?.[name])),
      ),
    nullable: true,
    bytewise: false,
  }
}

/** A column. For a client, owner-only fields are NULL in other owners' records. */
function seenColumn(
  { client, dialect }: CompileContext,
  { fields }: Collection,
  alias: string,
  name: string,
): Sql {
  const stored = column(alias, name)
  const isOwners = fields.some((field) => field.name === name && field.readable === 'owner')
  const owner = client && isOwners ? ownerField(fields) : undefined
  if (!owner) return stored
  const viewer = dialect.text(placeholder<Input>(({ request }) => request.viewer?.id ?? ''))
  return sql`CASE WHEN ${column(alias, owner.name)} = ${viewer} THEN ${stored} END`
}

function follow(compiling: CompileContext, from: TableRef, hop: Hop, scope: Scope): TableRef {
  const key = `${from.key}.${hop.name}`
  if (hop.type === 'each' || hop.type === 'list') {
    const list = compiling.dialect.jsonEach(from.column(hop.field.name))
    const item = scope.join(`${key}[]`, (alias) => sql`${list} AS ${sql.id(alias)} ON TRUE`)
    const value = column(item, 'value')
    if (hop.type === 'each') return { key, column: () => value, nullable: true, bytewise: false }
    return joined(compiling, hop, scope, key, (alias) => sql`${column(alias, 'id')} = ${value}`)
  }
  if (hop.type === 'one') {
    const id = from.column(hop.field.name)
    return joined(compiling, hop, scope, key, (alias) => sql`${column(alias, 'id')} = ${id}`)
  }
  if (hop.type === 'all') return joined(compiling, hop, scope, key, () => sql`TRUE`)
  return joined(compiling, hop, scope, key, (alias) =>
    names(compiling, alias, hop, from.column('id')),
  )
}

/** The condition that a record's relation names an id. */
function names(
  compiling: CompileContext,
  alias: string,
  hop: Extract<Hop, { type: 'back' }>,
  id: Sql,
): Sql {
  const by = column(alias, hop.field.name)
  // The `<> ''` lets the database use a partial unique index without empty relations.
  if (!isMultiple(hop.field)) return sql`${by} = ${id} AND ${by} <> ''`
  const item = compiling.row.aliases.next()
  return sql`EXISTS (SELECT 1 FROM ${compiling.dialect.jsonEach(by)} AS ${sql.id(item)} WHERE ${column(item, 'value')} = ${id})`
}

/**
 * Keeps a client's joins to visible rows, and checks the time, as one row may relate to a whole
 * table.
 */
function* clientConditions(
  compiling: CompileContext,
  hop: Exclude<Hop, { type: 'each' }>,
  alias: string,
): Generator<Sql> {
  const counted = hop.target.type === 'view' ? undefined : alias
  const inTime = isToMany(hop) && compiling.dialect.withinTimeout?.(counted)
  if (inTime) yield inTime
  const condition = compiling.visible(hop.target, alias)
  if (condition) yield condition
}

function joined(
  compiling: CompileContext,
  hop: Exclude<Hop, { type: 'each' }>,
  scope: Scope,
  key: string,
  on: (alias: string) => Sql,
): TableRef {
  const alias = scope.join(key, (alias) => {
    const conditions = [on(alias)]
    if (compiling.client) conditions.push(...clientConditions(compiling, hop, alias))
    return sql`${tableOf(hop.target)} AS ${sql.id(alias)} ON ${sql.join(conditions, sql` AND `)}`
  })
  const seen = (name: string) => seenColumn(compiling, hop.target, alias, name)
  return { key, column: seen, nullable: true, bytewise: true }
}
