import type { ByteRange } from './storage.ts'

/** A file's size and cache validators; `modified` in milliseconds, `etag` with its quotes. */
interface Validators {
  size: number
  modified: number
  /** Absent where the response must not be cached. */
  etag?: string | undefined
}

export type ConditionalResult =
  | { status: 200 | 304 | 412 | 416 }
  | { status: 206; range: ByteRange }

/**
 * Evaluates a request's conditions and range in the order of RFC 9110, section 13.2.2. Several
 * ranges are answered with the whole file, as the RFC allows.
 */
export function evaluateConditions(headers: Headers, file: Validators): ConditionalResult {
  if (isOutdated(headers, file)) return { status: 412 }
  if (isKnown(headers, file)) return { status: 304 }
  const range = headers.get('range')
  if (!range?.startsWith('bytes=') || !isSame(headers.get('if-range'), file)) return { status: 200 }
  return readRange(range.slice('bytes='.length), file.size)
}

function isOutdated(headers: Headers, { etag, modified }: Validators): boolean {
  const match = headers.get('if-match')
  if (match !== null) return !tags(match).some((tag) => tag === '*' || tag === etag)
  const since = dateOf(headers.get('if-unmodified-since'))
  return since !== null && seconds(modified) > since
}

function isKnown(headers: Headers, { etag, modified }: Validators): boolean {
  const match = headers.get('if-none-match')
  if (match !== null)
    return tags(match).some((tag) => tag === '*' || (etag && tag.replace(/^W\//, '') === etag))
  const since = dateOf(headers.get('if-modified-since'))
  return since !== null && seconds(modified) <= since
}

/** Whether a range still belongs to the version of the file that the client has. */
function isSame(condition: string | null, { etag, modified }: Validators): boolean {
  if (condition === null) return true
  if (/^(?:W\/)?"/.test(condition)) return condition === etag
  return dateOf(condition) === seconds(modified)
}

function readRange(text: string, size: number): ConditionalResult {
  if (text.includes(',')) return { status: 200 }
  const [, first = '', last = ''] = /^\s*(?:(\d+)\s*)?-\s*(?:(\d+)\s*)?$/.exec(text) ?? []
  if (!first && !last) return { status: 416 }
  if (!first) {
    const length = Math.min(Number(last), size)
    return length
      ? { status: 206, range: { start: size - length, end: size - 1 } }
      : { status: 416 }
  }
  const start = Number(first)
  const end = last ? Math.min(Number(last), size - 1) : size - 1
  if (start >= size || (last && Number(last) < start)) return { status: 416 }
  return { status: 206, range: { start, end } }
}

function tags(list: string): string[] {
  return list.match(/\*|(?:W\/)?"[^"]*"/g) ?? []
}

/** HTTP dates have whole seconds. */
function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}

function dateOf(header: string | null): number | null {
  const time = header === null ? Number.NaN : Date.parse(header)
  return Number.isNaN(time) ? null : seconds(time)
}
