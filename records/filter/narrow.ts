import type { Collection } from '../schema/collection.ts'
import { holdsJson, isMultiple, ownerField } from '../schema/field.ts'
import { lex, type LexedFilter } from './lexer.ts'
import { parse } from './parser.ts'
import type { Expression, Node } from './tree.ts'

/** Comparisons for each of an owner's rows: 150 take as long as reading 30 rows. */
const maxComparisons = 20

/**
 * Whether a client's filter is known to be cheap: it selects few rows by an id, a relation or a
 * unique field, such as all rows of one owner, and compares only their own columns. Any other
 * filter may scan a whole table, scan many rows for each row, or take long for one row: searching a
 * long text can take a tenth of a second, and JSON is parsed again for each comparison. Many
 * comparisons for many rows also add up.
 *
 * @param sort as sent by the client
 */
export function isNarrow(collection: Collection, filter: Node | null, sort: string): boolean {
  if (!filter || sort.includes('.')) return false
  if (!hasFewRows(collection, filter) || !isCheap(collection, filter)) return false
  return countComparisons(collection, filter) <= maxComparisons
}

/**
 * Comparisons of a unique field are index lookups and don't count, except for views, where one row
 * may be computed from many.
 */
function countComparisons(collection: Collection, node: Node): number {
  if (node.type === 'comparison') {
    const { left, operator, right } = node
    const isOneRow = collection.type !== 'view' && isUniqueName(collection, left)
    return operator === '=' && isOneRow && isOneValue(right) ? 0 : 1
  }
  return node.nodes.reduce((sum, one) => sum + countComparisons(collection, one), 0)
}

/** Whether indexes alone can answer the filter. */
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

/**
 * Relations count as indexed, as applications that filter by them should index them; see
 * docs/records.md.
 */
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

/** The empty text also matches missing values, which may be most rows. */
function isOneValue(side: Expression): boolean {
  if (side.type === 'text') return !side.empty
  return side.type === 'name' && side.name === '@request.auth.id'
}

/** Whether the filter takes little time per row: it only compares the row's own plain columns. */
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
 * Whether a client's filter only selects records that the viewer owns.
 *
 * @param viewer the viewer's id
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

/** Whether a rule always lets the owner see a record, whatever its other alternatives. */
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
