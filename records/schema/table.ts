import type { Dialect } from '../database/database.ts'
import type { Collection } from './collection.ts'
import { isMultiple, type Field } from './field.ts'

/**
 * The statements that make a collection's table and indexes on an empty database, for a migration
 * to run one by one. A column is never NULL: what was never said is the field's zero value.
 *
 * @returns nothing for a view, which has no table
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

/** Text sorts and compares by bytes on both databases. */
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

/** Two records that both leave an optional column empty are not the same record. */
function uniqueIndex(collection: Collection, index: readonly string[]): string {
  const name = quote(`${collection.name}_${index.join('_')}_unique`)
  const filled = index.flatMap((column) => {
    const empty = emptyValue(collection, column)
    return empty === undefined ? [] : `${quote(column)} <> '${empty}'`
  })
  const where = filled.length ? ` WHERE ${filled.join(' AND ')}` : ''
  return `CREATE UNIQUE INDEX ${name} ON ${quote(collection.name)} (${index.map(quote).join(', ')})${where}`
}

/** @returns what an optional column holds where nothing was said; undefined for what always says something */
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

/** Whether a whole unique index already begins with the column. */
function isIndexed(collection: Collection, field: Field): boolean {
  return collection.unique.some(
    (index) =>
      index[0] === field.name &&
      index.every((column) => emptyValue(collection, column) === undefined),
  )
}
