import { randomUUID } from 'node:crypto'
import type { Context, ErrorHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { Logger } from 'pino'
import { ApiError } from '#records/index.ts'
import { currentRequest } from '../request-context.ts'
import { dataHeaderValues } from './headers.ts'
import { failureLog } from './failure-log.ts'

/**
 * The one place that turns errors into answers: what is meant for the caller is said as it is;
 * everything else goes to the log under an id, and the caller gets the id.
 */
export function errorHandler(log: Logger): ErrorHandler {
  const tell = failureLog(log)
  return (error, c) => {
    const known = toApiError(error)
    if (known && known.status < 500) return answer(c, known)
    const failed = { err: error, method: c.req.method, path: c.req.path }
    const own = currentRequest()?.id
    // Where each request is a line of the log, so is each failure, under the same id.
    if (own) log.error(failed, 'request failed')
    // What nobody foresaw is told each time.
    const id = own || tell(known ? kindOf(known) : randomUUID(), failed)
    const failure = known ?? new ApiError(500)
    c.header('X-Request-Id', id)
    if (failure.status === 503) c.header('Retry-After', '2')
    return answer(c, failure)
  }
}

/** For paths nobody knows. */
export function notFound(c: Context): Response {
  return answer(c, new ApiError(404))
}

function answer(c: Context, error: ApiError): Response {
  c.header('Cache-Control', 'no-store')
  // What is left of the body is not wanted: the client need not send it to the end.
  if (error.status === 413) c.header('Connection', 'close')
  if (error.retryAfter !== undefined) c.header('Retry-After', String(error.retryAfter))
  return c.json(error, error.status as 400, dataHeaderValues)
}

function toApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error
  if (error instanceof HTTPException) return new ApiError(error.status, '', {}, error)
  return storageTrouble(error)
}

/** Troubles with the same answer and the same cause are one, and so is all that a lost database does. */
function kindOf({ status, message, cause }: ApiError): string {
  const { errcode, code } = (cause ?? {}) as { errcode?: unknown; code?: unknown }
  if (code === '08006') return code
  return [status, message, errcode, code].join(' ')
}

/** SQLite's own numbers for "busy", "read-only", "I/O error", "disk full" and "cannot open". */
const sqliteTrouble: Readonly<Record<number, number>> = {
  5: 503,
  8: 507,
  10: 503,
  13: 507,
  14: 503,
}

/** Troubles of what we keep things in: come back later, or the operator has to make room. */
function storageTrouble(error: unknown): ApiError | undefined {
  if (!(error instanceof Error)) return undefined
  const { errcode, code } = error as Error & { errcode?: unknown; code?: unknown }
  // The low byte is the kind, the rest its variant.
  const sqlite = typeof errcode === 'number' ? sqliteTrouble[errcode & 255] : undefined
  const status = sqlite ?? (typeof code === 'string' ? statusOf(code) : undefined)
  return status === undefined ? undefined : new ApiError(status, sentences[status], {}, error)
}

const sentences: Record<number, string> = {
  503: 'The library is busy. Please try again in a moment.',
  507: 'This cannot be saved at the moment. Please try again later.',
}

/** @param code PostgreSQL's or the operating system's */
function statusOf(code: string): number | undefined {
  if (['53100', 'ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM'].includes(code)) return 507
  // Connections (08), what there is too little of (53), shutdown (57P), a server that only reads as
  // another is to take over (25006), locks, deadlocks that trying again did not resolve.
  if (/^(?:08|53|57P|25006|55P03|40P01|40001)/.test(code)) return 503
  return networkTroubles.includes(code) ? 503 : undefined
}

/** Of a bucket, or of PostgreSQL before it is one of its own numbers. Not ENOENT: that is a file. */
const networkTroubles = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]
