import { ApiError, type FieldErrors } from '../errors.ts'
import type { Collection } from '../schema/collection.ts'
import { hasTooManyValues } from '../schema/json-values.ts'
import { errors } from '../schema/validate.ts'
import { partsAtMost, readMultipart } from './multipart.ts'

/** What a request brought: fields by name, and uploads by field name. */
export interface Body {
  data: Record<string, unknown>
  files: ReadonlyMap<string, readonly File[]>
}

/** Bytes of a body apart from its files and JSON fields. */
const plainBody = 1_048_576
const depthAtMost = 32

/** Bytes that a body may have, and those of its text among them: what is no file. */
export interface BodyLimit {
  all: number
  text: number
}

/** @returns what a create or update of the collection may have */
export function bodyLimit(collection: Collection): BodyLimit {
  let text = plainBody
  let files = 0
  for (const field of collection.fields) {
    if (field.type === 'json') text += field.maxSize ?? 1_048_576
    if (field.type === 'editor') text += field.maxSize ?? 5_242_880
    if (field.type === 'file') files += (field.maxSize ?? 5_242_880) * (field.maxSelect ?? 1)
  }
  return { all: text + files, text }
}

/**
 * Reads a body as JSON, multipart or URL-encoded form. A body of no length is an empty object.
 *
 * @throws ApiError 413 beyond the limit or for JSON of too many values, 400 for another type or
 *   what cannot be read
 */
export async function readBody(
  request: Request,
  { all, text }: BodyLimit = { all: plainBody, text: plainBody },
): Promise<Body> {
  if (Number(request.headers.get('content-length') ?? 0) > all) throw new ApiError(413)
  const bytes = await readBytes(request, all)
  if (!bytes.length) return { data: {}, files: new Map() }
  const contentType = request.headers.get('content-type') ?? ''
  const type = contentType.split(';')[0]!.trim().toLowerCase()
  let body: Body
  const isForm = type === 'multipart/form-data'
  if (!isForm && bytes.length > text) throw new ApiError(413)
  if (type === 'application/json') body = { data: parseObject(decode(bytes)), files: new Map() }
  else if (type === 'application/x-www-form-urlencoded') body = readParts(readForm(decode(bytes)))
  else if (isForm) body = readParts(within(text, await readMultipart(bytes, contentType)))
  else throw new ApiError(400, 'Unsupported Content-Type.')
  refuseDangerous(body.data)
  return body
}

async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await collectBytes(request, limit)
  } catch (cause) {
    // A client that leaves in the middle is no failure of ours.
    throw cause instanceof ApiError ? cause : new ApiError(400, '', {}, cause)
  }
}

async function collectBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  // Told in advance it is no longer than told, and read without a stream it costs half.
  if (request.headers.has('content-length')) {
    const bytes = new Uint8Array(await request.arrayBuffer())
    if (bytes.length > limit) throw new ApiError(413)
    return bytes
  }
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.length
    if (length > limit) throw new ApiError(413)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new ApiError(400, '', {}, cause)
  }
}

/** Counted before they are taken apart. */
function readForm(text: string): [string, string][] {
  let parts = 1
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1))
    if (++parts > partsAtMost) throw new ApiError(413)
  return [...new URLSearchParams(text)]
}

type Part = readonly [string, string | File]

function within(limit: number, parts: readonly Part[]): readonly Part[] {
  let length = 0
  for (const [, value] of parts) if (typeof value === 'string') length += value.length
  if (length > limit) throw new ApiError(413)
  return parts
}

function parseObject(text: string): Record<string, unknown> {
  if (hasTooManyValues(text)) throw new ApiError(413)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new ApiError(400, '', {}, cause)
  }
  if (value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw new ApiError(400)
  return value as Record<string, unknown>
}

/**
 * Parts are strings: what looks like a boolean or a number is one, a repeated name is a list, and
 * `@jsonPayload` holds an object that is taken as it is over the others.
 */
function readParts(parts: readonly Part[]): Body {
  if (parts.length > partsAtMost) throw new ApiError(413)
  const data: Record<string, unknown> = {}
  const files = new Map<string, File[]>()
  const payloads: Record<string, unknown>[] = []
  for (const [name, value] of parts) {
    if (name === '__proto__') throw new ApiError(400)
    if (typeof value !== 'string') files.set(name, [...(files.get(name) ?? []), value])
    else if (name === '@jsonPayload') payloads.push(parseObject(value))
    else if (!Object.hasOwn(data, name)) data[name] = infer(value)
    else {
      const before = data[name]
      data[name] = Array.isArray(before)
        ? [...(before as unknown[]), infer(value)]
        : [before, infer(value)]
    }
  }
  for (const payload of payloads) {
    refuseDangerous(payload)
    Object.assign(data, payload)
  }
  return { data, files }
}

function infer(text: string): unknown {
  if (text === 'true') return true
  if (text === 'false') return false
  // Only the shortest form of a number is one: `0001`, `1e3` and `0.0` stay what they are.
  return /^-?\d+(?:\.\d+)?$/.test(text) && String(Number(text)) === text ? Number(text) : text
}

/**
 * Refuses what a later step would stumble over: keys that reach into prototypes, nesting that
 * exhausts a stack, and NUL, which PostgreSQL cannot store in text.
 *
 * @throws ApiError 400, for NUL with the errors of its fields
 */
function refuseDangerous(root: Readonly<Record<string, unknown>>): void {
  let hasNul = false
  let level: (unknown[] | Readonly<Record<string, unknown>>)[] = [root]
  for (let depth = 0; level.length; depth++) {
    const next: typeof level = []
    const look = (inner: unknown) => {
      if (depth === depthAtMost) throw new ApiError(400)
      if (typeof inner === 'string') hasNul ||= inner.includes('\0')
      else if (typeof inner === 'object' && inner !== null) next.push(inner as (typeof level)[0])
    }
    for (const value of level) {
      if (Array.isArray(value)) for (const inner of value) look(inner)
      else
        for (const key of Object.keys(value)) {
          if (key === '__proto__' || key.includes('\0')) throw new ApiError(400)
          look(value[key])
        }
    }
    level = next
  }
  if (hasNul) throw new ApiError(400, '', nulErrors(root))
}

function nulErrors(data: Readonly<Record<string, unknown>>): FieldErrors {
  const found: FieldErrors = {}
  for (const [key, value] of Object.entries(data)) {
    if (typeof value === 'string' && value.includes('\0')) found[key] = errors.format
    else if (JSON.stringify(value).includes('\\u0000')) found[key] = errors.json
  }
  return found
}
