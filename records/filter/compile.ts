import { sql } from 'kysely'
import { compare } from './compare.ts'
import { callFunction, checkCall, type Signature } from './functions.ts'
import { macros, isNumberMacro } from './macros.ts'
import { fieldOperand, numberColumn, requestValue, type Operand } from './operand.ts'
import { toManyHops, resolvePath, type Path, type RequestPath } from './paths.ts'
import { toManyKey, joinPath, type CompileContext } from './joins.ts'
import { and, Scope, or, type Sql } from './scope.ts'
import { FilterError, type Comparison, type Expression, type Node } from './tree.ts'

/**
 * Limits comparisons with to-many relations in a client's filter, as each is a search for each row.
 * Every relation followed from there costs several times as much, because it also checks who may
 * see the related record.
 */
const maxMany = 20
const furtherCosts = 5

/** A side of a comparison before its joins are added to the FROM clause. */
type Side = Operand | Path | FunctionCall

/** A function call with its arguments. */
interface FunctionCall {
  type: 'call'
  signature: Signature
  args: readonly Side[]
}

interface Resolved {
  type: 'comparison'
  comparison: Comparison
  left: Side
  right: Side
  /** The to-many relations it refers to; see {@link toManyKey}. */
  many: readonly string[]
}

type ResolvedNode =
  | Resolved
  | { type: 'and' | 'or'; nodes: ResolvedNode[]; many: readonly string[] }

/**
 * Compiles a filter to a condition on the rows of `compiling.row`, to which it adds the joins it
 * needs. Every value in it is a placeholder, so filters of the same shape share one statement.
 *
 * Comparisons that are joined by `&&` and refer to the same to-many relation refer to the same
 * related record, as if the relation were joined to the row. This is how PocketBase's filters work.
 *
 * @throws FilterError for a name that doesn't exist or that the viewer may not use
 */
export function compile(compiling: CompileContext, node: Node): Sql {
  const resolved = resolve(compiling, node)
  if (compiling.client && countMany(resolved) > maxMany)
    throw new FilterError('too many comparisons with to-many relations')
  return emit(compiling, resolved)
}

function countMany(node: ResolvedNode): number {
  if (node.type === 'comparison') return costOf(node.left) + costOf(node.right)
  return node.nodes.reduce((count, inner) => count + countMany(inner), 0)
}

function costOf(s: Side): number {
  if (s.type === 'call') return s.args.reduce((cost, arg) => cost + costOf(arg), 0)
  const hops = s.type === 'field' ? toManyHops(s) : 0
  return hops && 1 + furtherCosts * (hops - 1)
}

function resolve(compiling: CompileContext, node: Node): ResolvedNode {
  if (node.type !== 'comparison') {
    const nodes = node.nodes.map((inner) => resolve(compiling, inner))
    return { type: node.type, nodes, many: [...new Set(nodes.flatMap((inner) => inner.many))] }
  }
  const [left, right] = [side(compiling, node.left), side(compiling, node.right)]
  const many = [...manyOf(left), ...manyOf(right)]
  return { type: 'comparison', comparison: node, left, right, many }
}

function manyOf(s: Side): string[] {
  if (s.type === 'call') return s.args.flatMap(manyOf)
  const key = s.type === 'field' ? toManyKey(s) : ''
  return key ? [key] : []
}

function isNever(s: Side): boolean {
  return s.type === 'never' || (s.type === 'call' && s.args.some(isNever))
}

function side(compiling: CompileContext, operand: Expression): Side {
  if (operand.type === 'call') {
    const signature = checkCall(operand)
    const args = signature.values.map((value) => side(compiling, value))
    return { type: 'call', signature, args }
  }
  if (operand.type !== 'name')
    return { type: 'free', literal: operand.type, read: compiling.literal(operand.index) }
  const { name } = operand
  const macro = macros.get(name)
  if (macro)
    return {
      type: 'free',
      literal: isNumberMacro(name) ? 'number' : 'text',
      read: (input) => macro(input.now),
    }
  const word = name.toLowerCase()
  if (['null', 'true', 'false'].includes(word) && !hasField(compiling, name)) {
    const value = word === 'null' ? null : Number(word === 'true')
    const literal = word === 'null' ? 'null' : 'number'
    return { type: 'free', literal, read: () => value }
  }
  return resolvePath(compiling, name)
}

function hasField(compiling: CompileContext, name: string): boolean {
  return compiling.collection.fields.some((field) => field.name === name)
}

/**
 * Compiles a node outside of any group, with as little as possible in each subquery for related
 * rows.
 */
function emit(compiling: CompileContext, node: ResolvedNode): Sql {
  if (!node.many.length) return emitInside(compiling, node, compiling.row)
  if (node.type === 'comparison') return emitGroup(compiling, [node])
  if (node.type === 'or') return or(node.nodes.map((inner) => emit(compiling, inner)))
  return and(
    clusters(node.nodes).map((nodes) =>
      nodes.length === 1 ? emit(compiling, nodes[0]!) : emitGroup(compiling, nodes),
    ),
  )
}

/** Groups the nodes that refer to the same related rows, directly or through one another. */
function clusters(nodes: readonly ResolvedNode[]): ResolvedNode[][] {
  const found: { nodes: ResolvedNode[]; many: Set<string> }[] = []
  for (const node of nodes) {
    const related = found.filter((cluster) => node.many.some((key) => cluster.many.has(key)))
    const home = related[0] ?? { nodes: [], many: new Set<string>() }
    if (!related.length) found.push(home)
    for (const other of related.slice(1)) {
      home.nodes.push(...other.nodes)
      for (const key of other.many) home.many.add(key)
      found.splice(found.indexOf(other), 1)
    }
    home.nodes.push(node)
    for (const key of node.many) home.many.add(key)
  }
  return found.map((cluster) => cluster.nodes)
}

function emitGroup(compiling: CompileContext, nodes: readonly ResolvedNode[]): Sql {
  // Joining two to-many relations multiplies their rows.
  if (compiling.client && new Set(nodes.flatMap((node) => node.many)).size > 1)
    throw new FilterError('two to-many relations in one condition')
  const group = new Scope(compiling.row.aliases)
  const every: Sql[] = []
  const inside = nodes.map((node) => emitInside(compiling, node, group, every))
  return and([group.exists(and(inside)), ...every])
}

/**
 * @param every collects conditions that don't depend on the group's rows, so that they aren't
 *   evaluated for each row
 */
function emitInside(
  compiling: CompileContext,
  node: ResolvedNode,
  group: Scope,
  every?: Sql[],
): Sql {
  if (node.type === 'comparison') return emitComparison(compiling, node, group, every)
  const outside = node.type === 'and' ? every : undefined
  const inner = node.nodes.map((child) => emitInside(compiling, child, group, outside))
  return node.type === 'and' ? and(inner) : or(inner)
}

function emitComparison(
  compiling: CompileContext,
  node: Resolved,
  group: Scope,
  outside: Sql[] | undefined,
): Sql {
  if (isNever(node.left) || isNever(node.right)) return sql`FALSE`
  const holds = afterJoins(compiling, node, placed(compiling, node, group))
  if (!node.many.length || node.comparison.any) return holds
  // Without `?`, every related value must satisfy the comparison.
  if (compiling.client && !outside)
    throw new FilterError('a condition on every related record next to ||')
  const others = new Scope(compiling.row.aliases)
  const broken = sql`NOT (${placed(compiling, node, others)})`
  const violated = others.exists(afterJoins(compiling, node, broken))
  if (!outside) return and([holds, sql`NOT ${violated}`])
  outside.push(sql`NOT ${violated}`)
  return holds
}

/**
 * Makes sure that a client's condition on a related record is evaluated only once the record is
 * known to be visible to the viewer. Otherwise the response time would reveal values in hidden
 * records. Databases may turn a LEFT JOIN into an inner join and evaluate its conditions in any
 * order if no missing record can satisfy them; COALESCE hides that from them.
 */
function afterJoins(compiling: CompileContext, node: Resolved, condition: Sql): Sql {
  const isFree = !compiling.client || !(follows(node.left) || follows(node.right))
  return isFree ? condition : sql`COALESCE(${condition}, FALSE)`
}

function follows(s: Side): boolean {
  return s.type === 'call' ? s.args.some(follows) : s.type === 'field' && s.hops.length > 0
}

function placed(compiling: CompileContext, node: Resolved, group: Scope): Sql<boolean> {
  const left = operand(compiling, node.left, group)
  const right = operand(compiling, node.right, group)
  return compare(compiling.dialect, node.comparison.operator, left, right)
}

function operand(compiling: CompileContext, s: Side, group: Scope): Operand {
  if (s.type === 'field') return fieldOperand(compiling.dialect, s, joinPath(compiling, s, group))
  if (s.type === 'request') return requestOperand(compiling, s, group)
  if (s.type === 'call') {
    const args = s.args.map((arg) => operand(compiling, arg, group))
    return callFunction(compiling.dialect, s.signature, args)
  }
  if (s.type === 'never') throw new FilterError('comparison with a hidden field')
  return s
}

function requestOperand(compiling: CompileContext, path: RequestPath, group: Scope): Operand {
  const free: Operand = {
    type: 'free',
    literal: path.modifier === 'isset' || path.modifier === 'length' ? 'number' : undefined,
    read: requestValue((input) => path.read(input.request), path.modifier),
  }
  if (!path.stored) return free
  const stored = fieldOperand(
    compiling.dialect,
    path.stored,
    joinPath(compiling, path.stored, group),
  )
  const sent: Operand = { ...free, literal: 'number', read: requestValue(free.read, 'isset') }
  const one: Operand = { ...free, literal: 'number', read: () => 1 }
  const isSent = compare(compiling.dialect, '=', sent, one)
  const differs = compare(compiling.dialect, '!=', stored, free)
  return numberColumn(
    compiling.dialect,
    sql`CASE WHEN ${isSent} AND ${differs} THEN 1 ELSE 0 END`,
    false,
  )
}
