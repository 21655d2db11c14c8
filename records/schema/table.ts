import type { Dialect } from '../database/database.ts'
import type { Collection } from './collection.ts'
import { isMultiple, type Field } from './field.ts'

/**
 * The statements that create a collection's table and indexes, for a migration to run one by one.
 * Columns are never NULL: an unset one holds the field's zero value.
 *
 * @returns an empty list for a view, which has no table
 */
export function tableSql(collection: Collection, dialect: Pick<Dialect, 'name'>): string[] {
  if (collection.type === 'view') return []
  const table = quote(collection.name)
  const columns = collection.fields.map(
    (field) => `${quote(field.name)} ${columnType(field, dialect.name)}`,
  )
  return [
    `CREATE TABLE ${table} (${columns.join(', ')})`,
    ...collection.unique
      .filter((index) => index.join() !== 'id')
      .map((index) => uniqueIndex(collection, index)),
    ...collection.fields
      .filter((field) => field.type === 'relation' && !isMultiple(field))
      .filter((field) => !isIndexed(collection, field))
      .map(
        (field) =>
          `CREATE INDEX ${quote(`${collection.name}_${field.name}`)} ON ${table} (${quote(field.name)})`,
      ),
  ]
}

/** @returns the name as an SQL identifier */
function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** The column type for text, which sorts and compares by bytes on both databases. */
export function textType(dialect: Dialect['name']): string {
  return dialect === 'postgres' ? 'TEXT COLLATE "C"' : 'TEXT'
}

function columnType(field: Field, dialect: Dialect['name']): string {
  const text = textType(dialect)
  if (field.name === 'id') return `${text} PRIMARY KEY NOT NULL`
  if (isMultiple(field)) return `${text} NOT NULL DEFAULT '[]'`
  switch (field.type) {
    case 'number':
      return 'DOUBLE PRECISION NOT NULL DEFAULT 0'
    case 'bool':
      return 'BOOLEAN NOT NULL DEFAULT FALSE'
    case 'json':
      return `${text} NOT NULL DEFAULT 'null'`
    case 'geoPoint':
      return `${text} NOT NULL DEFAULT '{"lon":0,"lat":0}'`
    default:
      return `${text} NOT NULL DEFAULT ''`
  }
}

/** Leaves out rows with an empty optional column, as two empty values aren't duplicates. */
function uniqueIndex(collection: Collection, index: readonly string[]): string {
  const name = quote(`${collection.name}_${index.join('_')}_unique`)
  const filled = index.flatMap((column) => {
    const empty = emptyValue(collection, column)
    return empty === undefined ? [] : `${quote(column)} <> '${empty}'`
  })
  const where = filled.length ? ` WHERE ${filled.join(' AND ')}` : ''
  return `CREATE UNIQUE INDEX ${name} ON ${quote(collection.name)} (${index.map(quote).join(', ')})${where}`
}

/**
 * @returns the empty value of an optional column; undefined for a column that always has a value
 */
function emptyValue(collection: Collection, column: string): string | undefined {
  const field = collection.fields.find((f) => f.name === column)
  if (!field) throw new Error(`${collection.name} has no field ${column} to be unique by`)
  if (field.required || (collection.type === 'auth' && column === 'tokenKey')) return undefined
  if (isMultiple(field)) return '[]'
  const { type } = field
  return ['text', 'email', 'url', 'date', 'select', 'relation', 'file'].includes(type)
    ? ''
    : undefined
}

/** Whether a unique index over all rows already begins with the column. */
function isIndexed(collection: Collection, field: Field): boolean {
  return collection.unique.some(
    (index) =>
      index[0] === field.name &&
      index.every((column) => emptyValue(collection, column) === undefined),
  )
}
