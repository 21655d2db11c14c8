import type { Row } from '../database/database.ts'
import type { Value } from '../database/placeholder.ts'
import type { Collection } from './collection.ts'
import { holdsJson, isMultiple, type Field } from './field.ts'
import type { RecordOf } from './record-of.ts'

export type { StoredRecord } from './record-of.ts'

/** @returns the value of an unset field; see the wire's zero values */
export function zeroValue(field: Field): unknown {
  if (isMultiple(field)) return []
  switch (field.type) {
    case 'number':
      return 0
    case 'bool':
      return false
    case 'json':
      return null
    case 'geoPoint':
      return { lon: 0, lat: 0 }
    default:
      return ''
  }
}

/** @returns a column's content as the field's value; columns are text, double precision, boolean */
export function decode(field: Field, column: Row[number] | undefined): unknown {
  if (column === null || column === undefined) return zeroValue(field)
  if (holdsJson(field)) {
    const value: unknown = JSON.parse(String(column))
    return field.type === 'json' && field.holds ? field.holds(value) : value
  }
  if (field.type === 'bool') return Boolean(column)
  if (field.type === 'number') return Number(column)
  return column
}

/** @returns a field's value as stored in its column; lists and JSON as compact JSON text */
export function encode(field: Field, value: unknown): Value {
  if (holdsJson(field)) return JSON.stringify(value ?? zeroValue(field))
  return (value ?? zeroValue(field)) as Value
}

/** @param row one column for each field, in the collection's order */
export function toRecord<C extends Collection>(collection: C, row: Row): RecordOf<C> {
  const record: Record<string, unknown> = {}
  collection.fields.forEach((field, i) => (record[field.name] = decode(field, row[i])))
  return record as RecordOf<C>
}
