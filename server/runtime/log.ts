import {
  pino,
  stdSerializers,
  type DestinationStream,
  type LevelWithSilent,
  type Logger,
} from 'pino'
import { currentRequest } from './request-context.ts'

/**
 * Opens the server's log. Mail servers and databases name readers in their errors, so email
 * addresses are removed from logged errors.
 *
 * @param destination stdout unless given
 */
export function openLog(level: LevelWithSilent, destination?: DestinationStream): Logger {
  const options = {
    level,
    // At these levels each request is a line of its own, and others name it; see
    // http/watch-requests.ts.
    ...(['debug', 'trace'].includes(level) && { mixin: requestId }),
    redact: ['token', 'password', 'email'],
    serializers: { err: (error: Error) => withoutAddresses(stdSerializers.err(error)) },
  }
  return destination ? pino(options, destination) : pino(options)
}

function requestId(): { request?: string } {
  const id = currentRequest()?.id
  return id ? { request: id } : {}
}

/** An email address, in brackets, in quotes or by itself; matched only at the start of a word. */
const address = /(?<![^\s<>"'`,;:=()[\]{}])[^\s<>"'`,;:=()[\]{}]+@[^\s<>"'`,;:=()[\]{}]+/g

/** How deep nested errors are logged; an error may contain itself. */
const maxDepth = 6

function withoutAddresses(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.replace(address, '[address]')
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  // A nested error's causes are already part of its text.
  if (value instanceof Error) return withoutAddresses(String(value))
  if (depth === maxDepth) return '[more]'
  const inside = (inner: unknown) => withoutAddresses(inner, depth + 1)
  if (Array.isArray(value)) return value.map(inside)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inside(inner)]))
}
