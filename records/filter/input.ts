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
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.toWellFormed().replaceAll('\0', '\u{FFFD}')
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
