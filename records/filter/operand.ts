import { sql } from 'kysely'
import type { Dialect } from '../database/database.ts'
import { placeholder, type Value } from '../database/placeholder.ts'
import { isMultiple, type Field } from '../schema/field.ts'
import { asNumber, asText, type Input } from './input.ts'
import type { FieldPath, Modifier } from './paths.ts'
import type { TableRef } from './joins.ts'
import type { Sql } from './scope.ts'

/** A side of a comparison that is computed by the database. */
export interface Column {
  type: 'text' | 'number' | 'json'
  /** Whether it can be NULL, such as when its record is missing. */
  nullable: boolean
  /** As text. For JSON: NULL unless the value is a text, a list or an object. */
  text: Sql
  /** As a number. For JSON: NULL unless the value is a number or boolean. */
  number: Sql
  /** As searchable text, whatever its type. */
  print: Sql
  /** Whether the database already sorts it by bytes. */
  bytewise: boolean
  /** For a folded text: how the text that is searched for is folded. */
  fold?: (text: string) => string
}

/** A value from the request or the filter. It takes the other side's type. */
export interface ValueOperand {
  type: 'free'
  /** The literal's type in the filter; undefined for values from the request. */
  literal: 'text' | 'number' | 'null' | undefined
  read: (input: Input) => unknown
}

export type Operand = Column | ValueOperand

/** @returns the operand for a path's last field, read from the joined record at `place` */
export function fieldOperand(dialect: Dialect, path: FieldPath, place: TableRef): Column {
  const { field, modifier } = path
  if (!field) return textColumn(place.column(''), true, false)
  const stored = place.column(field.name)
  const column = typed(dialect, field, path.json, stored, place)
  switch (modifier) {
    case 'lower':
      return textColumn(dialect.lower(column.print), column.nullable, column.bytewise)
    case 'folded': {
      const { field: name, by } = field.folded!
      return { ...textColumn(place.column(name), place.nullable, place.bytewise), fold: by }
    }
    case 'length': {
      const length = isMultiple(field)
        ? dialect.jsonLength(stored)
        : sql`CASE WHEN ${stored} <> '' THEN 1 ELSE 0 END`
      const { sent } = place
      return sent
        ? numberColumn(dialect, sql`CASE WHEN ${sent} = 1 THEN ${length} END`, true)
        : numberColumn(dialect, length, false)
    }
    default:
      return column
  }
}

function typed(
  dialect: Dialect,
  field: Field,
  json: readonly string[],
  column: Sql,
  { nullable, bytewise }: TableRef,
): Column {
  if (field.type === 'json' || field.type === 'geoPoint')
    return {
      type: 'json',
      nullable: true,
      text: dialect.jsonText(column, json),
      number: dialect.jsonNumber(column, json),
      print: dialect.jsonPrint(column, json),
      bytewise: false,
    }
  if (field.type === 'bool') return numberColumn(dialect, dialect.bit(column), nullable)
  if (field.type === 'number') return numberColumn(dialect, column, nullable)
  return textColumn(column, nullable, bytewise)
}

function textColumn(text: Sql, nullable: boolean, bytewise: boolean): Column {
  return { type: 'text', nullable, text, number: text, print: text, bytewise }
}

/** A number computed by the database, such as by `:changed`. */
export function numberColumn(dialect: Dialect, number: Sql, nullable: boolean): Column {
  const text = dialect.numberText(number)
  return { type: 'number', nullable, text, number, print: text, bytewise: false }
}

/** @returns the request's value with its modifier applied */
export function requestValue(
  read: (input: Input) => unknown,
  modifier: Modifier,
): (input: Input) => unknown {
  switch (modifier) {
    case 'lower':
      return (input) =>
        asText(read(input))?.replace(/[A-Z]+/g, (text) => text.toLowerCase()) ?? null
    case 'length':
      return (input) => lengthOf(read(input))
    case 'isset':
      return (input) => Number(read(input) !== undefined)
    default:
      return read
  }
}

function lengthOf(value: unknown): number {
  if (Array.isArray(value)) return value.length
  return value === null || value === undefined || value === '' ? 0 : 1
}

/** @returns a parameter for the value as text */
export function textPlaceholder(
  dialect: Dialect,
  read: (input: Input) => unknown,
  as: (value: unknown) => Value = asText,
): Sql {
  return dialect.text(placeholder<Input>((input) => as(read(input))))
}

/** @returns a parameter for the value as a number */
export function numberPlaceholder(
  dialect: Dialect,
  read: (input: Input) => unknown,
  as: (value: unknown) => Value = asNumber,
): Sql {
  return dialect.number(placeholder<Input>((input) => as(read(input))))
}
