import { memo } from '../memo.ts'
import { randomText } from '../random.ts'
import { storedEmail } from './email-url.ts'
import { holdsJson, isMultiple, type Field } from './field.ts'
import { hasTooManyValues } from './json-values.ts'
import type { StoredRecord } from './values.ts'
import { zeroValue } from './values.ts'

/**
 * Converts a client's value to a field's type. Nothing is refused here: a value that can't be
 * converted becomes the field's zero value, as on PocketBase's wire (contract section 2.2). For a
 * strict field it is left for `validate` to refuse.
 */
export function coerce(field: Field, value: unknown): unknown {
  switch (field.type) {
    case 'number':
      return toNumber(value)
    case 'bool':
      return field.strict && !isBool(value) ? value : toBool(value)
    case 'date':
    case 'autodate':
      return toDate(value)
    case 'select':
    case 'relation':
    case 'file': {
      const list = toList(value)
      return isMultiple(field) ? list : (list.at(-1) ?? '')
    }
    case 'json':
      return toJson(value)
    case 'geoPoint':
      return toGeoPoint(value)
    case 'email':
      return field.ignoresCase ? storedEmail(toText(value)) : toText(value)
    default:
      return toText(value)
  }
}

type Modify = (field: Field, stored: unknown, operand: unknown) => unknown

const modifiers: Record<string, Modify> = {
  'f:autogenerate': (field, _, prefix) =>
    toText(prefix) +
    (field.type === 'text' && field.autogenerate ? randomText(field.autogenerate) : ''),
  'f+': (field, stored, operand) =>
    field.type === 'number'
      ? toNumber(stored) + toNumber(operand)
      : coerce(field, [...toList(stored), ...toList(operand)]),
  '+f': (field, stored, operand) => coerce(field, [...toList(operand), ...toList(stored)]),
  'f-': (field, stored, operand) => {
    if (field.type === 'number') return toNumber(stored) - toNumber(operand)
    const removed = new Set(toList(operand))
    return coerce(
      field,
      toList(stored).filter((item) => !removed.has(item)),
    )
  },
}

/**
 * Applies a client's body to a record: converts values, and resolves the modifiers `f+`, `+f`, `f-`
 * and `f:autogenerate` against the stored values, shorter keys first.
 *
 * @param base the stored record, or zero values
 * @param fields the fields the body may set
 * @returns the record with the body applied, and the body itself with every modifier resolved
 */
export function applyBody(
  base: StoredRecord,
  fields: readonly Field[],
  body: Readonly<Record<string, unknown>>,
): { record: StoredRecord; body: Record<string, unknown> } {
  const byName = named(fields)
  const record: StoredRecord = { ...base }
  const resolved: Record<string, unknown> = {}
  const keys = Object.keys(body)
  // Only modifiers depend on the order.
  if (!keys.every((key) => byName.has(key))) keys.sort((a, b) => a.length - b.length)
  for (const key of keys) {
    const target = targetOf(key, byName)
    if (!target) resolved[key] = body[key]
    else {
      const { field, modify } = target
      record[field.name] = modify
        ? modify(field, record[field.name], body[key])
        : coerce(field, body[key])
      resolved[field.name] = record[field.name]
    }
  }
  return { record, body: resolved }
}

const named = memo(
  (fields: readonly Field[]): ReadonlyMap<string, Field> =>
    new Map(fields.map((field) => [field.name, field])),
)

/** @returns the field that a body's key sets, and its modifier; an exact field name always wins */
function targetOf(
  key: string,
  fields: ReadonlyMap<string, Field>,
): { field: Field; modify: Modify | undefined } | undefined {
  const plain = fields.get(key)
  if (plain) return { field: plain, modify: undefined }
  const match = /^(?:(\+)(.+)|(.+?)([+-]|:autogenerate))$/.exec(key)
  const field = match && fields.get(match[2] ?? match[3] ?? '')
  if (!field) return undefined
  if (match[4] === ':autogenerate')
    return field.type === 'text' ? { field, modify: modifiers['f:autogenerate'] } : undefined
  const isList = ['select', 'relation', 'file'].includes(field.type)
  if (!isList && (field.type !== 'number' || match[1])) return undefined
  return { field, modify: modifiers[match[1] ? '+f' : `f${match[4]}`] }
}

/**
 * Parsed from JSON, so that V8 gives it a fixed shape. Built by adding many fields one by one, it
 * would become a slower hash table.
 */
const blank = memo((fields: readonly Field[]) => {
  const values = fields.map((field) => [field.name, zeroValue(field)])
  return JSON.parse(JSON.stringify({ id: '', ...Object.fromEntries(values) })) as StoredRecord
})

/** @returns a record of zero values */
export function emptyRecord(fields: readonly Field[]): StoredRecord {
  const record = { ...blank(fields) }
  for (const field of fields) if (holdsJson(field)) record[field.name] = zeroValue(field)
  return record
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value)
  return ''
}

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
const unbounded = /^[+-]?(?:inf|infinity|nan)$/i

function toNumber(value: unknown): number {
  // Adding 0 turns -0 into 0, which PostgreSQL would print as -0.
  if (typeof value === 'number') return value + 0
  if (typeof value === 'boolean') return Number(value)
  if (typeof value !== 'string') return 0
  if (decimal.test(value)) return Number(value) + 0
  return unbounded.test(value) ? Number.NaN : 0
}

/** The words for true and false, as PocketBase and Go parse them. */
export const trueWords = ['1', 't', 'T', 'TRUE', 'true', 'True']
export const falseWords = ['0', 'f', 'F', 'FALSE', 'false', 'False']

function isBool(value: unknown): boolean {
  return typeof value === 'string'
    ? trueWords.includes(value) || falseWords.includes(value)
    : typeof value === 'boolean' || value === 0 || value === 1
}

function toBool(value: unknown): boolean {
  if (typeof value === 'string') return trueWords.includes(value)
  return typeof value === 'boolean' ? value : typeof value === 'number' && value !== 0
}

/** @returns the distinct texts of a list, of a JSON list as text, or of a single value */
export function toList(value: unknown): string[] {
  let list: unknown = value
  if (typeof value === 'string' && /^\s*\[[^]*\]\s*$/.test(value) && !hasTooManyValues(value)) {
    try {
      list = JSON.parse(value)
    } catch {
      list = value
    }
  }
  const items = (Array.isArray(list) ? (list as unknown[]) : [list]).map(toText)
  return [...new Set(items.filter((item) => item !== ''))]
}

const day = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?\s*(\S.*)?$/
const zone = /^(?:Z|UTC|([+-])(\d\d):?(\d\d)(?: UTC)?)?$/

/** @returns `YYYY-MM-DD HH:MM:SS.mmmZ` in UTC; '' for an invalid date */
function toDate(value: unknown): string {
  if (value instanceof Date) return formatDate(value)
  if (typeof value === 'number') return Number.isInteger(value) ? formatDate(value * 1000) : ''
  if (typeof value !== 'string' || value === '') return ''
  const parts = day.exec(value.trim())
  if (!parts)
    // Other layouts must name their time zone, or this machine's would apply.
    return /(?:GMT|UTC|Z)$/.test(value) ? formatDate(Date.parse(value)) : ''
  const offset = zone.exec(parts[8] ?? '')
  if (!offset) return ''
  const [year, month, date, hour, minute, second] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  const milliseconds = Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3))
  const time = Date.UTC(year!, month! - 1, date, hour, minute, second, milliseconds)
  const local = new Date(time)
  if (local.getUTCMonth() !== month! - 1 || local.getUTCDate() !== date || hour! > 23) return ''
  const ahead = offset[1] ? Number(offset[2]) * 60 + Number(offset[3]) : 0
  return formatDate(time - (offset[1] === '-' ? -ahead : ahead) * 60_000)
}

/**
 * @param time a date or milliseconds
 * @returns the date as on the wire, `YYYY-MM-DD HH:MM:SS.mmmZ` in UTC; '' outside the years 1 to
 *   9999
 */
export function formatDate(time: Date | number): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return ''
  const year = date.getUTCFullYear()
  return year < 1 || year > 9999 ? '' : date.toISOString().replace('T', ' ')
}

/** @returns the milliseconds since 1970 of a date as {@link formatDate} writes it; 0 for '' */
export function timeOf(date: string): number {
  return date ? Date.parse(date.replace(' ', 'T')) : 0
}

/** @returns the point in an object or its JSON text; missing coordinates are 0 */
function toGeoPoint(value: unknown): { lon: number; lat: number } {
  let point: unknown = value
  if (typeof value === 'string') {
    try {
      point = hasTooManyValues(value) ? null : JSON.parse(value)
    } catch {
      point = null
    }
  }
  const { lon, lat }: { lon?: unknown; lat?: unknown } =
    typeof point === 'object' && point !== null ? point : {}
  return { lon: toNumber(lon), lat: toNumber(lat) }
}

/** Parses a string that is JSON text, as multipart bodies send it. */
function toJson(value: unknown): unknown {
  if (value === undefined) return null
  if (typeof value !== 'string' || value === '') return value
  const looksLikeJson =
    value === 'null' ||
    value === 'true' ||
    value === 'false' ||
    /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value) ||
    /^(?:"[^]*"|\[[^]*\]|\{[^]*\})$/.test(value)
  // PostgreSQL can't store NUL, and __proto__ is never data.
  if (!looksLikeJson || /\\u0000|__proto__|\\u005f/i.test(value) || hasTooManyValues(value))
    return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}
