import type { RequestInfo } from './request.ts'

/** The values a compiled filter or rule is bound to. */
export interface Input {
  /** The literals of the client's filter, in order. */
  literals: readonly (string | number)[]
  request: RequestInfo
  now: Date
}

/**
 * Converts a value from a request to text. Lone surrogates and NUL, which databases can't store,
 * become U+FFFD.
 *
 * @returns null for null and undefined
 */
export function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value !== 'string') return storableJson(JSON.stringify(value))
  return value.toWellFormed().replaceAll('\0', '\u{FFFD}')
}

/**
 * Replaces the escapes of characters that databases can't store with U+FFFD, as PostgreSQL decodes
 * them.
 */
export function storableJson(json: string): string {
  return json.replace(/\\u(?:0000|d[89a-f][\da-f]{2})|\\./g, (escape) =>
    escape.length === 6 ? '\u{FFFD}' : escape,
  )
}

/** Converts a list from a request to JSON text; anything else becomes an empty list. */
export function asList(value: unknown): string {
  return Array.isArray(value) ? storableJson(JSON.stringify(value)) : '[]'
}

/**
 * Converts a value from a request to compare it with numbers. A text that isn't a number is greater
 * than every number, as in SQLite.
 *
 * @returns null for null, undefined and the empty text
 */
export function asNumber(value: unknown): number | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'number' || typeof value === 'boolean') return Number(value)
  const text = asText(value) ?? ''
  return /^\s*-?\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : Infinity
}
