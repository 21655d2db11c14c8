import { loggedPath } from './logged-path.ts'
import { isBulkheadRejectedError } from 'cockatiel'
import { randomUUID } from 'node:crypto'
import type { Context, ErrorHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { Logger } from 'pino'
import { ApiError } from '#records/index.ts'
import answers from '#shared/sentences/answers.json' with { type: 'json' }
import { currentRequest } from '../runtime/request-context.ts'
import { dataHeaderValues } from './headers.ts'
import { failureLog } from './failure-log.ts'
import { NotSetUp } from './not-set-up.ts'

/**
 * What a protocol other than the API's says of an error, as JSON or plain text, by the first part of
 * the paths that speak it.
 */
export type ErrorForms = Readonly<Record<string, (error: ApiError) => object | string>>

/**
 * Turns errors into responses. An `ApiError` is sent as it is, or in its protocol's form. Failures,
 * which is what is 5xx and no {@link NotSetUp}, are logged under an id, which the caller gets too.
 */
export function errorHandler(log: Logger, forms: ErrorForms = {}): ErrorHandler {
  const tell = failureLog(log)
  return (error, c) => {
    const known = toApiError(error)
    if (known && (known.status < 500 || known instanceof NotSetUp)) return answer(c, known, forms)
    const failed = { err: error, method: c.req.method, path: loggedPath(c.req.path) }
    const own = currentRequest()?.id
    // If requests are logged, log each failure under its request's id.
    if (own) log.error(failed, 'request failed')
    // Log unexpected errors every time.
    const id = own || tell(known ? kindOf(known) : randomUUID(), failed)
    const failure = known ?? new ApiError(500)
    c.header('X-Request-Id', id)
    if (failure.status === 503) c.header('Retry-After', '2')
    return answer(c, failure, forms)
  }
}

/** Answers unknown paths. */
export function notFound(c: Context): Response {
  return answer(c, new ApiError(404))
}

function answer(c: Context, error: ApiError, forms: ErrorForms = {}): Response {
  c.header('Cache-Control', 'no-store')
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value)
  const form = forms[c.req.path.split('/')[1] ?? '']
  const body = form ? form(error) : error
  const status = error.status as 400
  return typeof body === 'string'
    ? c.text(body, status, dataHeaderValues)
    : c.json(body, status, dataHeaderValues)
}

function toApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error
  if (error instanceof HTTPException) return new ApiError(error.status, '', {}, error)
  // More pictures wait to be drawn than the queue holds.
  if (isBulkheadRejectedError(error)) return new ApiError(503, answers.serverBusy, {}, error)
  return storageTrouble(error)
}

/** Groups failures with the same response and cause, and all failures of a lost database. */
function kindOf({ status, message, cause }: ApiError): string {
  const { errcode, code } = (cause ?? {}) as { errcode?: unknown; code?: unknown }
  if (code === '08006') return code
  return [status, message, errcode, code].join(' ')
}

/** SQLite's codes for "busy", "read-only", "I/O error", "disk full" and "cannot open". */
const sqliteTrouble: Readonly<Record<number, number>> = {
  5: 503,
  8: 507,
  10: 503,
  13: 507,
  14: 503,
}

/** Maps failures of databases and storage to "try again later" or "disk full". */
function storageTrouble(error: unknown): ApiError | undefined {
  if (!(error instanceof Error)) return undefined
  const { errcode, code } = error as Error & { errcode?: unknown; code?: unknown }
  // The low byte is the primary code.
  const sqlite = typeof errcode === 'number' ? sqliteTrouble[errcode & 255] : undefined
  const status = sqlite ?? (typeof code === 'string' ? statusOf(code) : undefined)
  return status === undefined ? undefined : new ApiError(status, sentences[status], {}, error)
}

const sentences: Record<number, string> = {
  503: answers.libraryBusy,
  507: answers.cannotSave,
}

/** @param code PostgreSQL's or the operating system's */
function statusOf(code: string): number | undefined {
  if (['53100', 'ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM'].includes(code)) return 507
  // Connections (08), insufficient resources (53), shutdown (57P), a read-only server during
  // failover (25006), locks, and deadlocks that retries did not resolve.
  if (/^(?:08|53|57P|25006|55P03|40P01|40001)/.test(code)) return 503
  return networkTroubles.includes(code) ? 503 : undefined
}

/** Network errors of a bucket or of PostgreSQL. Not ENOENT, which concerns a file. */
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
