import { sql } from 'kysely'
import { fieldOperand, type Column } from './operand.ts'
import { toManyHops, isToMany, resolvePath, type FieldPath } from './paths.ts'
import { joinPath, type CompileContext } from './joins.ts'
import { Scope, type Sql } from './scope.ts'
import { FilterError } from './tree.ts'

const maxFields = 8
const maxNameBytes = 255
/** To-many hops in a client's sort, as they are followed for all rows. */
const maxMany = 2

interface Term {
  name: string
  descending: boolean
}

/**
 * Compiles a client's sort to the terms of ORDER BY. The id comes last, so that pages never
 * overlap.
 *
 * @returns an empty list if the sort is empty
 * @throws FilterError for a name that doesn't exist or that the viewer may not use
 */
export function compileSort(compiling: CompileContext, text: string): Sql[] {
  const terms = parse(text)
  if (!terms.length) return []
  const paths = terms.map(({ name }) => pathOf(compiling, name))
  const many = paths.reduce((count, path) => count + (path ? toManyHops(path) : 0), 0)
  if (compiling.client && many > maxMany)
    throw new FilterError('too many sort fields with to-many relations')
  const order = terms.flatMap((term, i) => compileTerm(compiling, term, paths[i]))
  if (!terms.some(({ name }) => name === 'id' || name === '@random'))
    order.push(sql`${sql.id(compiling.alias)}.${sql.id('id')}`)
  return order
}

function parse(text: string): Term[] {
  if (text === '') return []
  const parts = text.split(',')
  if (parts.length > maxFields) throw new FilterError('too many sort fields')
  return parts.map((part) => {
    const trimmed = part.trim()
    const name = trimmed.replace(/^[+-]/, '').trim()
    if (!/^@?\w[\w.:]*$/.test(name) || Buffer.byteLength(name) > maxNameBytes)
      throw new FilterError('invalid sort field')
    return { name, descending: trimmed.startsWith('-') }
  })
}

/** @returns undefined for a random order */
function pathOf(compiling: CompileContext, name: string): FieldPath | undefined {
  if (name === '@random') return undefined
  const path = resolvePath(compiling, name)
  if (path.type !== 'field') throw new FilterError(`can't sort by ${name}`)
  const { sortedBy } = path.field ?? {}
  if (!sortedBy || path.modifier || path.json.length) return path
  const last = path.hops.at(-1)
  const { fields } = last && 'target' in last ? last.target : compiling.collection
  return { ...path, field: fields.find((field) => field.name === sortedBy) }
}

function compileTerm(
  compiling: CompileContext,
  { descending }: Term,
  path: FieldPath | undefined,
): Sql[] {
  if (!path) return [sql`RANDOM()`]
  const group = new Scope(compiling.row.aliases)
  const column = fieldOperand(compiling.dialect, path, joinPath(compiling, path, group))
  return keys(compiling, column).map((key) => {
    const { expression, nullable } = path.hops.some(isToMany)
      ? outermost(key, group, descending)
      : key
    const direction = descending ? sql` DESC` : sql``
    const nulls = nullable ? (descending ? sql` NULLS LAST` : sql` NULLS FIRST`) : sql``
    return sql`${expression}${direction}${nulls}`
  })
}

interface Key {
  expression: Sql
  nullable: boolean
}

/** JSON sorts null first, then numbers, then texts. */
function keys({ dialect }: CompileContext, column: Column): Key[] {
  const { text, number, nullable } = column
  switch (column.type) {
    case 'text': {
      const filled = nullable ? sql`COALESCE(${text}, '')` : text
      return [{ expression: column.bytewise ? filled : dialect.bytewise(filled), nullable: false }]
    }
    case 'number':
      return [{ expression: number, nullable }]
    case 'json':
      return [
        { expression: dialect.bytewise(text), nullable },
        { expression: number, nullable },
      ]
  }
}

/** Picks the related value that comes first in the sort's direction. */
function outermost(key: Key, group: Scope, descending: boolean): Key {
  const pick = descending ? sql`MAX` : sql`MIN`
  const from = sql`(SELECT 1) AS ${sql.id(group.aliases.next())}${group.joins}`
  return { expression: sql`(SELECT ${pick}(${key.expression}) FROM ${from})`, nullable: true }
}

/**
 * The default order of rows: by their creation.
 *
 * @returns terms of ORDER BY
 */
export function insertionOrder({
  dialect,
  collection,
  alias,
}: Pick<CompileContext, 'dialect' | 'collection' | 'alias'>): Sql[] {
  const id = sql`${sql.id(alias)}.${sql.id('id')}`
  // PostgreSQL's `ctid` changes when a row is updated.
  if (dialect.name === 'sqlite' && collection.type !== 'view') return [dialect.rowid(alias)]
  const created = collection.fields.some((field) => field.name === 'created')
  return created ? [sql`${sql.id(alias)}.${sql.id('created')}`, id] : [id]
}
