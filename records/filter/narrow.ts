import { holdsJson, isMultiple, type Collection } from '../schema/collection.ts'
import type { Expression, Node } from './tree.ts'

/**
 * Whether a client's filter keeps to few rows: those that an id, a relation or a unique field
 * names, such as all of one owner, judged by nothing but their own columns, and those at once.
 * Anything else may look at every row of a table, at many rows for each, or for long at one: a
 * long text takes a tenth of a second to search for the worst of what is looked for, and JSON is
 * read anew for each comparison.
 *
 * @param sort as the client wrote it
 */
export function isNarrow(collection: Collection, filter: Node | null, sort: string): boolean {
  if (!filter || sort.includes('.')) return false
  return hasFewRows(collection, filter) && isQuick(collection, filter)
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
  const name = side.name.replace(/:lower$/, '')
  const isUnique = collection.unique.some(([first, second]) => first === name && !second)
  const field = collection.fields.find((one) => one.name === side.name)
  return isUnique || (field?.type === 'relation' && !isMultiple(field))
}

/** An empty text compares to what is missing, too: that may be most rows. */
function isOneValue(side: Expression): boolean {
  if (side.type === 'text') return !side.empty
  return side.type === 'name' && side.name === '@request.auth.id'
}

/** Whether a row is soon judged: by its own columns, and those at once. */
export function isQuick(collection: Collection, node: Node): boolean {
  if (node.type !== 'comparison') return node.nodes.every((one) => isQuick(collection, one))
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
