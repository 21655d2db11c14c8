import type { RequestInfo } from '../access/request.ts'

/** What a compiled filter or rule is bound with. */
export interface Input {
  /** The values that stand in the client's filter, in order. */
  literals: readonly (string | number)[]
  request: RequestInfo
  now: Date
}

/**
 * A value of a request as text. Half characters and NUL, which no database keeps, become U+FFFD.
 *
 * @returns null for nothing
 */
export function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value !== 'string') return storableJson(JSON.stringify(value))
  return value.toWellFormed().replaceAll('\0', '\u{FFFD}')
}

/** JSON text with U+FFFD for what no database keeps, which it has as escapes: PostgreSQL reads them. */
export function storableJson(json: string): string {
  return json.replace(/\\u(?:0000|d[89a-f][\da-f]{2})|\\./g, (escape) =>
    escape.length === 6 ? '\u{FFFD}' : escape,
  )
}

/** A list of a request as JSON text; what is none is empty. */
export function asList(value: unknown): string {
  return Array.isArray(value) ? storableJson(JSON.stringify(value)) : '[]'
}

/**
 * A value of a request to compare a number with. A text that is no number is above every number,
 * as SQLite orders them.
 *
 * @returns null for nothing and for the empty text
 */
export function asNumber(value: unknown): number | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'number' || typeof value === 'boolean') return Number(value)
  const text = asText(value) ?? ''
  return /^\s*-?\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : Infinity
}
