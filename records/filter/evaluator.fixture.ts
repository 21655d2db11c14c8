/**
 * A second implementation of the filter language over plain objects, to check the compiled SQL
 * against.
 */

import { distance, formatted } from './functions.fixture.ts'
import type { Comparison, Expression, Node, Operator } from './tree.ts'

export type Item = Readonly<Record<string, unknown>>

/** The collections' rows as a client sees them, without those it may not list. */
export interface VisibleRows {
  related(item: Item, hop: string): { items: Item[]; many: boolean } | undefined
  /** A field's value. */
  type(hop: readonly string[], field: string): 'text' | 'number' | 'bool' | 'json' | 'list'
}

interface Path {
  hops: string[]
  field: string
  json: string[]
  modifier: string
}

type Json = { text: string | null; number: number | null; print: string | null }
type Value =
  | { type: 'text'; value: string | null }
  | { type: 'number'; value: number | null }
  | { type: 'json'; value: Json }
  | { type: 'free'; literal: 'text' | 'number' | 'null'; value: string | number | null }

type Choice = Map<string, Item | string | null>

/** @returns whether a row satisfies the filter */
export function satisfies(
  world: VisibleRows,
  row: Item,
  node: Node,
  literals: readonly unknown[],
): boolean {
  const paths = comparisons(node).flatMap((c) => pathsOf(c))
  return choices(world, row, paths).some((choice) => holds(node, choice) === true)

  function holds(inner: Node, choice: Choice): boolean | null {
    if (inner.type === 'comparison') return compared(inner, choice)
    const results = inner.nodes.map((n) => holds(n, choice) === true)
    return inner.type === 'and' ? results.every(Boolean) : results.some(Boolean)
  }

  function compared(c: Comparison, choice: Choice): boolean {
    const own = pathsOf(c)
    if (own.some((path) => path.field === 'email')) return false
    if (evaluate(c, choice) !== true) return false
    if (c.any || !own.some((path) => isMany(path))) return true
    return choices(world, row, own).every((other) => evaluate(c, other) !== false)
  }

  function evaluate(c: Comparison, choice: Choice): boolean | null {
    const side = (operand: Expression) => valueOf(world, operand, literals, choice)
    return compareValues(c.operator, side(c.left), side(c.right))
  }

  function isMany(path: Path): boolean {
    return path.modifier === 'each' || path.hops.some((hop) => world.related({}, hop)?.many)
  }
}

function key(path: Path, hops: number): string {
  return path.hops.slice(0, hops).join('.')
}

/** Every way to choose one related record for all the relations that the paths follow. */
function choices(world: VisibleRows, row: Item, paths: readonly Path[]): Choice[] {
  let found: Choice[] = [new Map([['', row]])]
  for (const path of paths) {
    path.hops.forEach((hop, i) => {
      found = found.flatMap((choice) => {
        if (choice.has(key(path, i + 1))) return [choice]
        const from = choice.get(key(path, i)) as Item | null
        const items = from ? world.related(from, hop)!.items : []
        return (items.length ? items : [null]).map(
          (item) => new Map([...choice, [key(path, i + 1), item]]),
        )
      })
    })
    if (path.modifier !== 'each') continue
    const each = `${key(path, path.hops.length)}.${path.field}[]`
    found = found.flatMap((choice) => {
      if (choice.has(each)) return [choice]
      const from = choice.get(key(path, path.hops.length)) as Item | null
      const items = (from?.[path.field] as string[] | undefined) ?? []
      return (items.length ? items : [null]).map((item) => new Map([...choice, [each, item]]))
    })
  }
  return found
}

function comparisons(node: Node): Comparison[] {
  return node.type === 'comparison' ? [node] : node.nodes.flatMap(comparisons)
}

function pathsOf(c: Comparison): Path[] {
  return [c.left, c.right].flatMap(namedBy)
}

function namedBy(side: Expression): Path[] {
  if (side.type === 'call') return side.args.flatMap(namedBy)
  return side.type === 'name' && !['null', 'true', 'false'].includes(side.name)
    ? [parsePath(side.name)]
    : []
}

const relations = ['owner', 'folder', 'tags', 'parent']

function parsePath(name: string): Path {
  const [dotted = '', modifier = ''] = name.split(':')
  const keys = dotted.split('.')
  const hops: string[] = []
  while (keys.length > 1 && (relations.includes(keys[0]!) || keys[0]!.includes('_via_')))
    hops.push(keys.shift()!)
  // A single related record's id is the relation's own value, whether it is visible or not.
  if (keys[0] === 'id' && ['owner', 'folder', 'parent'].includes(hops.at(-1) ?? ''))
    keys[0] = hops.pop()!
  return { hops, field: keys[0]!, json: keys.slice(1), modifier }
}

function valueOf(
  world: VisibleRows,
  operand: Expression,
  literals: readonly unknown[],
  choice: Choice,
): Value {
  if (operand.type === 'call') {
    const values = operand.args.map((arg) => valueOf(world, arg, literals, choice))
    if (operand.name === 'geoDistance')
      return { type: 'number', value: distance(values.map(inDegrees)) }
    const moment = values[1]!
    const value = moment.type === 'json' ? moment.value.text : moment.value
    return { type: 'text', value: formatted(operand, value, literals) }
  }
  if (operand.type !== 'name') {
    const value = literals[operand.index] as string | number
    return { type: 'free', literal: operand.type, value }
  }
  if (operand.name === 'null') return { type: 'free', literal: 'null', value: null }
  if (operand.name === 'true') return { type: 'free', literal: 'number', value: 1 }
  if (operand.name === 'false') return { type: 'free', literal: 'number', value: 0 }
  const path = parsePath(operand.name)
  const at = key(path, path.hops.length)
  if (path.modifier === 'each')
    return { type: 'text', value: choice.get(`${at}.${path.field}[]`) as string | null }
  const item = choice.get(at) as Item | null
  const stored = item?.[path.field]
  const type = world.type(path.hops, path.field)
  if (path.modifier === 'length') {
    const length = Array.isArray(stored) ? stored.length : Number(Boolean(stored))
    return { type: 'number', value: length }
  }
  const value = typedValue(type, item ? stored : undefined, path.json)
  if (path.modifier !== 'lower') return value
  return { type: 'text', value: asciiLower(printed(value)) }
}

function inDegrees(value: Value): number | null {
  if (value.type === 'json') return value.value.number
  return value.value === null ? null : Number(value.value)
}

function typedValue(type: ReturnType<VisibleRows['type']>, stored: unknown, json: string[]): Value {
  if (type === 'json') return { type: 'json', value: faces(stored, json) }
  if (stored === undefined)
    return { type: type === 'text' || type === 'list' ? 'text' : 'number', value: null }
  if (type === 'list') return { type: 'text', value: JSON.stringify(stored) }
  if (type === 'text') return { type: 'text', value: stored as string }
  return { type: 'number', value: Number(stored) }
}

function faces(stored: unknown, keys: string[]): Json {
  let value = stored
  for (const k of keys)
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, k)
        ? (value as Record<string, unknown>)[k]
        : undefined
  if (value === undefined || value === null) return { text: null, number: null, print: null }
  if (typeof value === 'string') return { text: value, number: null, print: value }
  if (typeof value === 'object') {
    const text = JSON.stringify(value)
    return { text, number: null, print: text }
  }
  return { text: null, number: Number(value), print: JSON.stringify(value) }
}

function printed(value: Value): string | null {
  if (value.type === 'json') return value.value.print
  return value.value === null ? null : String(value.value)
}

function compareValues(operator: Operator, left: Value, right: Value): boolean | null {
  if (operator === '~' || operator === '!~') {
    const [text, wanted] = [printed(left), printed(right)]
    if (text === null || wanted === null) return null
    const pattern = right.type === 'free' ? undefined : `%${wanted}%`
    const found = pattern === undefined ? contains(text, wanted) : like(text, pattern)
    return operator === '~' ? found : !found
  }
  if (left.type === 'json' || right.type === 'json') return compareJson(operator, left, right)
  if (isNumeric(left, right)) return ordered(operator, asNumber(left), asNumber(right))
  const [a, b] = [printed(left), printed(right)]
  return operator === '=' || operator === '!='
    ? ordered(operator, a ?? '', b ?? '')
    : ordered(operator, a, b)
}

function isNumeric(left: Value, right: Value): boolean {
  if (left.type === 'free' && right.type === 'free') {
    const both = [left.literal, right.literal]
    return both.includes('number') && !both.includes('text')
  }
  if (left.type === 'free') return right.type === 'number'
  if (right.type === 'free') return left.type === 'number'
  return left.type === 'number' && right.type === 'number'
}

function asNumber({ value }: Value): number | null {
  if (value === null || value === '') return null
  if (typeof value === 'number') return value
  return /^\s*-?\d+(\.\d+)?\s*$/.test(value as string) ? Number(value) : Infinity
}

function compareJson(operator: Operator, left: Value, right: Value): boolean | null {
  const [a, b] = [jsonFaces(left), jsonFaces(right)]
  const texts = () => ordered(operator, a.text, b.text)
  const numbers = () => ordered(operator, a.number, b.number)
  if (a.only === 'text' || b.only === 'text') return texts()
  if (a.only === 'number' || b.only === 'number') return numbers()
  if (operator === '=') return texts() === true && numbers() === true
  const results = [texts(), numbers()]
  return results.includes(true) ? true : results.includes(null) ? null : false
}

function jsonFaces(value: Value): {
  text: string | null
  number: number | null
  only?: 'text' | 'number'
} {
  if (value.type === 'json') return value.value
  const text = typeof value.value === 'string' ? value.value : null
  const number = typeof value.value === 'number' ? value.value : null
  const only = value.type === 'free' ? value.literal : value.type
  if (only === 'null') return { text, number }
  // A number column can also be compared as text.
  return { text: value.type === 'number' && number !== null ? String(number) : text, number, only }
}

/** Equality treats null as a value; order doesn't. */
function ordered<T extends string | number>(
  operator: Operator,
  a: T | null,
  b: T | null,
): boolean | null {
  if (operator === '=') return a === b
  if (operator === '!=') return a !== b
  if (a === null || b === null) return null
  const sign = orderOf(a, b)
  switch (operator) {
    case '<':
      return sign < 0
    case '<=':
      return sign <= 0
    case '>':
      return sign > 0
    default:
      return sign >= 0
  }
}

function orderOf(a: string | number, b: string | number): number {
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(String(b)))
  if (a === b) return 0
  return a < Number(b) ? -1 : 1
}

function asciiLower(text: string | null): string | null {
  return text?.replace(/[A-Z]/g, (c) => c.toLowerCase()) ?? null
}

/** The pattern has its own wildcard, or matches anywhere. */
function contains(text: string, wanted: string): boolean {
  if (/(?:^|[^\\])%/.test(wanted)) return like(text, wanted)
  const literal = wanted.replaceAll('\\%', '%')
  return asciiLower(text)!.includes(asciiLower(literal)!)
}

function like(text: string, pattern: string): boolean {
  let source = ''
  const characters = Array.from(asciiLower(pattern)!)
  for (let i = 0; i < characters.length; i++) {
    const c = characters[i]!
    if (c === '%') source += '.*'
    else if (c === '_') source += '.'
    else source += RegExp.escape(c === '\\' ? (characters[++i] ?? '\\') : c)
  }
  return new RegExp(`^${source}$`, 'su').test(asciiLower(text)!)
}

/** @returns the rows in the order of the sort, then by id */
export function sortRows(world: VisibleRows, rows: readonly Item[], sort: string): Item[] {
  const terms = sort.split(',').map((term) => {
    const descending = term.startsWith('-')
    const name = descending ? term.slice(1) : term
    return { sign: descending ? -1 : 1, name }
  })
  const keysOf = (row: Item) => terms.map(({ sign, name }) => outermost(world, row, name, sign))
  const keyed = rows.map((row) => ({ row, keys: keysOf(row), id: String(row.id) }))
  return keyed
    .sort((a, b) => {
      for (const [i, { sign }] of terms.entries()) {
        const order = compareKeys(a.keys[i]!, b.keys[i]!) * sign
        if (order) return order
      }
      return orderOf(a.id, b.id)
    })
    .map(({ row }) => row)
}

type Key = readonly (string | number | null)[]

function outermost(world: VisibleRows, row: Item, name: string, sign: number): Key {
  const path = parsePath(name)
  const keys = choices(world, row, [path]).map((choice): Key => {
    const value = valueOf(world, { type: 'name', name }, [], choice)
    if (value.type === 'json') return [value.value.text, value.value.number]
    return [value.type === 'number' ? value.value : (value.value ?? '')]
  })
  // Null is neither the least nor the greatest of related values.
  const real = keys.filter((key) => key.some((part) => part !== null))
  return real.sort((a, b) => compareKeys(a, b) * sign)[0] ?? keys[0]!
}

/** Null comes first. */
function compareKeys(a: Key, b: Key): number {
  for (const [i, left] of a.entries()) {
    const right = b[i]!
    if (left === right) continue
    if (left === null) return -1
    return right === null ? 1 : orderOf(left, right)
  }
  return 0
}
