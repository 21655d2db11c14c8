import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino'
import type { Config } from './config.ts'
import { currentRequest } from './request-context.ts'

/**
 * The log of a server. What others say of a failure may name a reader (mail servers do, and so do
 * databases): of errors it keeps all but addresses.
 *
 * @param destination stdout unless given
 */
export function openLog(level: Config['logLevel'], destination?: DestinationStream): Logger {
  const options = {
    level,
    // Such a line may be one of a request that is a line itself, see http/watch-requests.ts.
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

/** Such as `reader@example.org`, in brackets, quotes or by itself; looked for where a word begins. */
const address = /(?<![^\s<>"'`,;:=()[\]{}])[^\s<>"'`,;:=()[\]{}]+@[^\s<>"'`,;:=()[\]{}]+/g

/** How far an error is told that holds others, or itself. */
const maxDepth = 6

function withoutAddresses(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.replace(address, '[address]')
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  // An error within another is told with its causes already.
  if (value instanceof Error) return withoutAddresses(String(value))
  if (depth === maxDepth) return '[more]'
  const inside = (inner: unknown) => withoutAddresses(inner, depth + 1)
  if (Array.isArray(value)) return value.map(inside)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inside(inner)]))
}
