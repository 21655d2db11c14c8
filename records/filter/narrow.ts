import type { Collection } from '../schema/collection.ts'
import { holdsJson, isMultiple, ownerField } from '../schema/field.ts'
import { lex, type LexedFilter } from './lexer.ts'
import { parse } from './parser.ts'
import type { Expression, Node } from './tree.ts'

/** Comparisons that each of one owner's rows may be held against: 150 take as long as 30 rows. */
const maxComparisons = 20

/**
 * Whether a client's filter keeps to few rows: those that an id, a relation or a unique field
 * names, such as all of one owner, judged by nothing but their own columns, and those at once.
 * Anything else may look at every row of a table, at many rows for each, or for long at one: a
 * long text takes a tenth of a second to search for the worst of what is looked for, and JSON is
 * read anew for each comparison. Many comparisons of many rows are as much work as very many rows.
 *
 * @param sort as the client wrote it
 */
export function isNarrow(collection: Collection, filter: Node | null, sort: string): boolean {
  if (!filter || sort.includes('.')) return false
  if (!hasFewRows(collection, filter) || !isCheap(collection, filter)) return false
  return countComparisons(collection, filter) <= maxComparisons
}

/**
 * Those with what only one row can have are looked up, however many there are; but a row of a view
 * may be put together from many.
 */
function countComparisons(collection: Collection, node: Node): number {
  if (node.type === 'comparison') {
    const { left, operator, right } = node
    const isOneRow = collection.type !== 'view' && isUniqueName(collection, left)
    return operator === '=' && isOneRow && isOneValue(right) ? 0 : 1
  }
  return node.nodes.reduce((sum, one) => sum + countComparisons(collection, one), 0)
}

/** Whether a filter asks for nothing of a row but what an index says. */
export function isIndexLookup(collection: Collection, node: Node): boolean {
  if (node.type === 'comparison') return hasFewRows(collection, node)
  return node.nodes.every((one) => isIndexLookup(collection, one))
}

function hasFewRows(collection: Collection, node: Node): boolean {
  if (node.type !== 'comparison') {
    const narrows = (one: Node) => hasFewRows(collection, one)
    return node.type === 'and' ? node.nodes.some(narrows) : node.nodes.every(narrows)
  }
  const { left, operator, right } = node
  return operator === '=' && isSelective(collection, left) && isOneValue(right)
}

/** Relations have an index in every application that lists by them; see docs/records.md. */
function isSelective(collection: Collection, side: Expression): boolean {
  if (side.type !== 'name') return false
  const field = collection.fields.find((one) => one.name === side.name)
  return isUniqueName(collection, side) || (field?.type === 'relation' && !isMultiple(field))
}

function isUniqueName(collection: Collection, side: Expression): boolean {
  if (side.type !== 'name') return false
  const name = side.name.replace(/:lower$/, '')
  return collection.unique.some(([first, second]) => first === name && !second)
}

/** An empty text compares to what is missing, too: that may be most rows. */
function isOneValue(side: Expression): boolean {
  if (side.type === 'text') return !side.empty
  return side.type === 'name' && side.name === '@request.auth.id'
}

/** Whether a row is soon judged: by its own columns, and those at once. */
export function isCheap(collection: Collection, node: Node): boolean {
  if (node.type !== 'comparison') return node.nodes.every((one) => isCheap(collection, one))
  if (node.operator === '~' || node.operator === '!~') return false
  return [node.left, node.right].every((side) => isPlain(collection, side))
}

function isPlain(collection: Collection, side: Expression): boolean {
  if (side.type === 'call') return false
  if (side.type !== 'name' || side.name === '@request.auth.id') return true
  const [name] = side.name.split(':')
  const field = collection.fields.find((one) => one.name === name)
  return !side.name.includes('.') && !(field && holdsJson(field))
}

/**
 * Whether a client's filter keeps to records that the viewer owns.
 *
 * @param viewer id of the account that asks
 */
export function isLimitedToOwner(
  { fields }: Collection,
  filter: LexedFilter | null,
  viewer: string | undefined,
): boolean {
  const owner = ownerField(fields)
  if (!filter || !viewer || !owner || !filter.literals.includes(viewer)) return false
  const isViewers = (node: Node): boolean => {
    if (node.type !== 'comparison') return node.type === 'and' && node.nodes.some(isViewers)
    const { left, operator, right } = node
    if (operator !== '=' || left.type !== 'name' || right.type !== 'text') return false
    return left.name === owner.name && filter.literals[right.index] === viewer
  }
  return isViewers(parse(filter.tokens))
}

/** Whether a rule allows a record to its owner whatever else it says. */
export function allowsOwner({ fields }: Collection, rule: string): boolean {
  const owner = ownerField(fields)?.name
  const isOwners = (node: Node): boolean => {
    if (node.type !== 'comparison') return node.type === 'or' && node.nodes.some(isOwners)
    const { left, operator, right } = node
    const isNamed = (side: Expression, name: string) => side.type === 'name' && side.name === name
    return operator === '=' && isNamed(left, owner ?? '') && isNamed(right, '@request.auth.id')
  }
  return owner !== undefined && rule !== '' && isOwners(parse(lex(rule).tokens))
}
