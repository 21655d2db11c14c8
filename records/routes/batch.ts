import type { RequestInfo } from '../filter/request.ts'
import { runBatch, type BatchRequest } from '../write/batch.ts'
import type { Core } from '../write/core.ts'
import { ApiError, tooLongError, type FieldErrors } from '../errors.ts'
import { writeAttempts } from '../limits/attempts.ts'
import { readUploads } from '../files/uploads.ts'
import { parseFields, pickJson } from '../read/pick.ts'
import { errors } from '../schema/validate.ts'
import { safeJson } from '../read/wire.ts'
import { jsonResponse } from './response.ts'
import { readBody, spoolFor, visitorLimit, type Body } from './body.ts'
import { requestInfo, snakeCased, type Handler } from './request-info.ts'

export const maxRequests = 50
/** Bytes of a whole batch including its files, and of its requests without them. */
const bodyBytes = { all: 12 * 1_048_576, text: 4 * 1_048_576 }
export const urlBytes = 2000

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const actions = ['POST', 'PUT', 'PATCH', 'DELETE'] as const

/** A request as the client sent it, before it is parsed. */
interface SentRequest {
  method: string
  url: string
  headers: Readonly<Record<string, unknown>>
  body: Readonly<Record<string, unknown>>
}

/** `POST /batch`: several writes of records, all or none */
export function batchRoute(core: Core): Handler {
  return async (c) => {
    // Before anything is written: an invalid `fields` must not fail afterwards.
    const picker = parseFields(c.req.query('fields'))
    const body = await readBatch(core, c.req.raw, c.get('viewer') !== null)
    try {
      const sent = readRequests(body.data['requests'])
      refuseMalformed(sent)
      const outer = requestInfo(c, 'batch')
      const requests = sent.map((one, index) =>
        toRequest(core, one, outer, filesOf(body.files, index)),
      )
      const results = await limited(core, c.get('network'), requests, () =>
        runBatch(core, requests, c.req.raw.signal),
      )
      const items = results.map((json) =>
        json === null ? '{"body":null,"status":204}' : `{"body":${json},"status":200}`,
      )
      return jsonResponse(safeJson(pickJson(`[${items.join(',')}]`, picker)))
    } finally {
      await body.release().catch(core.report)
    }
  }
}

/** Applies the limits of single requests to a batch's requests. */
async function limited<T>(
  { schema, limits, diskSpace }: Core,
  network: string,
  requests: readonly (BatchRequest | ApiError)[],
  work: () => Promise<T>,
): Promise<T> {
  const writes = requests
    .filter((one): one is BatchRequest => !(one instanceof ApiError))
    .map(({ action, collection, id, request }) => ({
      action,
      collection: schema.find(collection),
      id,
      body: request.body,
    }))
  const creates = writes.filter(({ action }) => action === 'POST' || action === 'PUT')
  if (creates.length) await limits.admit('batchCreate', network, creates.length)
  const counted = writes.filter(({ action }) => action !== 'DELETE')
  if (counted.length) await diskSpace?.admitWrite()
  return limits.attempt(writeAttempts(network, counted), work)
}

async function readBatch(core: Core, request: Request, isSignedIn: boolean): Promise<Body> {
  const limit = { ...bodyBytes, ...spoolFor(core) }
  try {
    return await readBody(request, isSignedIn ? limit : visitorLimit(limit))
  } catch (error) {
    throw error instanceof ApiError && error.status === 400 ? unreadable(error) : error
  }
}

function unreadable(cause?: unknown): ApiError {
  return new ApiError(400, 'Failed to read the submitted batch data.', {}, cause)
}

function invalid(data: FieldErrors): ApiError {
  return new ApiError(400, 'Invalid batch request data.', data)
}

function readRequests(sent: unknown): SentRequest[] {
  const value = sent ?? []
  if (!Array.isArray(value)) throw unreadable()
  if (!value.length) throw invalid({ requests: errors.required })
  if (value.length > maxRequests) throw invalid({ requests: tooLongError(maxRequests) })
  return value.map((one: unknown) => {
    const { method = '', url = '', headers, body } = objectOf(one)
    if (typeof method !== 'string' || typeof url !== 'string') throw unreadable()
    return { method, url, headers: objectOf(headers), body: objectOf(body) }
  })
}

/** @returns an empty object for null and undefined */
function objectOf(value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw unreadable()
  return value as Record<string, unknown>
}

function refuseMalformed(sent: readonly SentRequest[]): void {
  const found: FieldErrors = {}
  for (const [index, { method, url }] of sent.entries()) {
    const wrong: FieldErrors = {}
    if (!method) wrong['method'] = errors.required
    else if (!methods.includes(method))
      wrong['method'] = { code: 'validation_in_invalid', message: 'Must be a valid value.' }
    if (!url) wrong['url'] = errors.required
    else if (Buffer.byteLength(url) > urlBytes) wrong['url'] = tooLongError(urlBytes)
    if (Object.keys(wrong).length) found[index] = wrong
  }
  if (Object.keys(found).length) throw invalid({ requests: found })
}

/** @returns the request, or the error if a batch can't contain it */
function toRequest(
  core: Core,
  sent: SentRequest,
  outer: RequestInfo,
  files: Body['files'],
): BatchRequest | ApiError {
  const target = parseTarget(sent)
  if (!target) return new ApiError(400)
  const collection = core.schema.find(target.collection)
  let taken: ReturnType<typeof readUploads> | undefined
  try {
    if (collection) taken = readUploads(core.files, collection, { data: sent.body, files })
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  const request: RequestInfo = {
    context: 'batch',
    method: sent.method,
    query: target.query,
    headers: headersOf(outer, sent),
    body: taken?.data ?? sent.body,
    viewer: outer.viewer,
    uploads: taken?.uploads,
  }
  return { ...target, request }
}

/** Only paths of records: no other host or route, and no way around through `..` or `//`. */
const target = /^\/api\/collections\/([^/?#\\]+)\/records(?:\/([^/?#\\]+))?(?:\?([^#]*))?$/

function parseTarget({ method, url }: SentRequest) {
  const action = actions.find((name) => name === method)
  const [, collection, id, query] = target.exec(url) ?? []
  if (!action || !collection) return undefined
  const names = [collection, id ?? ''].map(decoded)
  const [name, recordId] = names
  if (name === undefined || recordId === undefined) return undefined
  if ((recordId !== '') !== (action === 'PATCH' || action === 'DELETE')) return undefined
  // The first value of a repeated key counts.
  const pairs = [...new URLSearchParams(query)].toReversed()
  return { action, collection: name, id: recordId, query: Object.fromEntries(pairs) }
}

/** @returns undefined for invalid encoding, or a NUL, which no id or name contains */
function decoded(segment: string): string | undefined {
  try {
    const text = decodeURIComponent(segment)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

/**
 * The batch's headers with the request's own, except that only the batch's can identify the viewer.
 */
function headersOf(outer: RequestInfo, { headers }: SentRequest): RequestInfo['headers'] {
  const own = Object.entries(headers)
  if (!own.length) return outer.headers
  const named = new Headers()
  for (const [name, value] of own)
    if (isHeader(name, value) && !['authorization', 'cookie'].includes(name.toLowerCase()))
      named.set(name, value)
  return { ...outer.headers, ...snakeCased(named) }
}

/** Whether the name and value could be sent as a header. */
function isHeader(name: string, value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]+$/.test(name) && /^[\t -~\x80-\xFF]*$/.test(value)
}

const part = /^requests(?:\.(\d+)|\[(\d+)\])\.(.+)$/

/** Uploads of one request: `requests.N.field` or `requests[N].field`. */
function filesOf(files: Body['files'], index: number): Map<string, readonly File[]> {
  const own = new Map<string, readonly File[]>()
  for (const [name, uploads] of files) {
    const [, dotted, bracketed, field = ''] = part.exec(name) ?? []
    if ((dotted ?? bracketed) === String(index))
      own.set(field, [...(own.get(field) ?? []), ...uploads])
  }
  return own
}
