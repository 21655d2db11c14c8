import type { Core } from '../write/core.ts'
import { ApiError, type FieldErrors } from '../errors.ts'
import type { Collection } from '../schema/collection.ts'
import { hasTooManyValues } from '../schema/json-values.ts'
import { errors } from '../schema/validate.ts'
import { maxInMemory, spool, type SpooledBody } from '../files/spool.ts'
import { maxParts, readLargeMultipart, readMultipart, type Part } from './multipart.ts'

/** A parsed body: its fields by name, and its uploads by field name. */
export interface Body {
  data: Record<string, unknown>
  files: ReadonlyMap<string, readonly File[]>
  /** Call when the uploads have been stored or refused. */
  release(): Promise<void>
}

/** Bytes of a body without its files, JSON and editor fields. */
const plainBody = 1_048_576
const maxDepth = 32

/** The limits on a body and on its text (everything but files), in bytes. */
interface BodyLimit {
  all: number
  text: number
  /** The folder for large forms. Without it they stay in memory. */
  spoolFolder?: string | undefined
  /** Sets disk space aside for a large form; see `DiskSpace`. */
  claim?: ((bytes: number) => Promise<Disposable>) | undefined
  /** A body beyond the limit is refused with 413, a visitor's form with 401. */
  isVisitor?: boolean
}

/** @returns where large forms go until their files are stored */
export function spoolFor({ files, diskSpace }: Core): Pick<BodyLimit, 'spoolFolder' | 'claim'> {
  return {
    spoolFolder: files?.spoolFolder,
    claim: diskSpace && ((bytes) => diskSpace.claim(bytes)),
  }
}

/** @returns the limits for a visitor, of whose body nothing may reach the disk */
export function visitorLimit({ text }: BodyLimit): BodyLimit {
  return { all: maxInMemory, text: Math.min(text, maxInMemory), isVisitor: true }
}

/** @returns the limits for a create or update in the collection */
export function bodyLimit(
  collection: Collection,
  spool: Pick<BodyLimit, 'spoolFolder' | 'claim'> = {},
): BodyLimit {
  let text = plainBody
  let files = 0
  for (const field of collection.fields) {
    if (field.type === 'json') text += field.maxSize ?? 1_048_576
    if (field.type === 'editor') text += field.maxSize ?? 5_242_880
    if (field.type === 'file') files += (field.maxSize ?? 5_242_880) * (field.maxSelect ?? 1)
  }
  return { all: text + files, text, ...spool }
}

/**
 * Reads a body as JSON, or as a multipart or URL-encoded form. An empty body is an empty object. A
 * large form is written to a file and read from there.
 *
 * @throws ApiError 413 beyond the limit (a visitor's form: 401) or for JSON with too many values,
 *   400 for another content type or an unreadable body, 507 if the disk has no room for the file
 */
export async function readBody(
  request: Request,
  limit: BodyLimit = { all: plainBody, text: plainBody },
): Promise<Body> {
  const { all, text, isVisitor } = limit
  const contentType = request.headers.get('content-type') ?? ''
  const type = contentType.split(';')[0]!.trim().toLowerCase()
  const isForm = type === 'multipart/form-data'
  const bounds = {
    max: isForm ? all : text,
    tooLarge: isVisitor && isForm ? 401 : 413,
    spool: isForm && limit.spoolFolder !== undefined ? limit : undefined,
  }
  if (Number(request.headers.get('content-length') ?? 0) > bounds.max)
    throw new ApiError(bounds.tooLarge)
  const content = await readContent(request, bounds)
  if (!(content instanceof Uint8Array)) return readSpooled(content, contentType, text)
  if (!content.length) return { data: {}, files: new Map(), release }
  if (type === 'application/json') return withoutFiles(parseObject(decode(content)))
  if (type === 'application/x-www-form-urlencoded') return readParts(readForm(decode(content)))
  if (isForm) return readParts(within(text, await readMultipart(content, contentType)))
  throw new ApiError(400, 'Unsupported Content-Type.')
}

const release = () => Promise.resolve()

function withoutFiles(data: Record<string, unknown>): Body {
  refuseDangerous(data)
  return { data, files: new Map(), release }
}

async function readSpooled(spooled: SpooledBody, contentType: string, text: number): Promise<Body> {
  try {
    const parts = await readLargeMultipart(spooled.blob, contentType, text)
    return { ...readParts(within(text, parts)), release: () => spooled.remove() }
  } catch (error) {
    await spooled.remove()
    throw error
  }
}

/** The limits on one body, and where a large one is stored. */
interface Bounds {
  /** Bytes. */
  max: number
  /** The status of a larger body. */
  tooLarge: number
  /** Absent: the body stays in memory. */
  spool: Pick<BodyLimit, 'spoolFolder' | 'claim'> | undefined
}

/** @throws ApiError beyond the limit, 400 if the client disconnects, 507 without disk space */
async function readContent(
  request: Request,
  { max, tooLarge, spool }: Bounds,
): Promise<Uint8Array<ArrayBuffer> | SpooledBody> {
  const declared = request.headers.get('content-length')
  const inMemory = spool ? maxInMemory : Infinity
  // A declared length can't be exceeded, and reading without a stream costs half as much.
  if (declared !== null && Number(declared) <= inMemory) {
    const bytes = new Uint8Array(await request.arrayBuffer().catch(leftInTheMiddle))
    if (bytes.length > max) throw new ApiError(tooLarge)
    return bytes
  }
  const body = limited(request, max, tooLarge)
  const start: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await body.next()
    if (done) return new Uint8Array(Buffer.concat(start))
    start.push(value)
    length += value.length
    if (spool && length > inMemory)
      return spoolBody(all(start, body), spool, declared === null ? max : Number(declared))
  }
}

/** Sets space aside for the file and for its copy in the storage. */
async function spoolBody(
  body: AsyncIterable<Uint8Array>,
  { spoolFolder = '', claim }: Pick<BodyLimit, 'spoolFolder' | 'claim'>,
  bytes: number,
): Promise<SpooledBody> {
  const claimed = await claim?.(2 * bytes)
  const release = () => claimed?.[Symbol.dispose]()
  try {
    const spooled = await spool(body, spoolFolder)
    return { blob: spooled.blob, remove: () => spooled.remove().finally(release) }
  } catch (error) {
    release()
    throw error
  }
}

async function* limited(
  request: Request,
  limit: number,
  tooLarge: number,
): AsyncGenerator<Uint8Array> {
  let length = 0
  try {
    // Cancelling the body would close the connection before the response is sent.
    for await (const chunk of request.body?.values({ preventCancel: true }) ?? []) {
      length += chunk.length
      if (length > limit) throw new ApiError(tooLarge)
      yield chunk
    }
  } catch (cause) {
    leftInTheMiddle(cause)
  }
}

/** A client that disconnects while sending isn't the server's failure. */
function leftInTheMiddle(cause: unknown): never {
  throw cause instanceof ApiError ? cause : new ApiError(400, '', {}, cause)
}

async function* all(start: Uint8Array[], rest: AsyncIterable<Uint8Array>) {
  // Shifts the chunks out, so that written ones can be freed.
  for (let chunk = start.shift(); chunk; chunk = start.shift()) yield chunk
  yield* rest
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new ApiError(400, '', {}, cause)
  }
}

/** Counts the parts before parsing them. */
function readForm(text: string): [string, string][] {
  let parts = 1
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1))
    if (++parts > maxParts) throw new ApiError(413)
  return [...new URLSearchParams(text)]
}

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
 * Converts a form's strings: what looks like a boolean or a number becomes one, a repeated name
 * becomes a list, and the object in `@jsonPayload` overrides the others as it is.
 */
function readParts(parts: readonly Part[]): Body {
  if (parts.length > maxParts) throw new ApiError(413)
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
  refuseDangerous(data)
  return { data, files, release }
}

function infer(text: string): unknown {
  if (text === 'true') return true
  if (text === 'false') return false
  // Only a number's canonical form is converted: `0001`, `1e3` and `0.0` stay text.
  return /^-?\d+(?:\.\d+)?$/.test(text) && String(Number(text)) === text ? Number(text) : text
}

/**
 * Refuses what would break a later step: keys that reach into prototypes, nesting that would
 * exhaust the stack, and NUL, which PostgreSQL can't store in text.
 *
 * @throws ApiError 400; for NUL with the errors of the fields
 */
function refuseDangerous(root: Readonly<Record<string, unknown>>): void {
  let hasNul = false
  let level: (unknown[] | Readonly<Record<string, unknown>>)[] = [root]
  for (let depth = 0; level.length; depth++) {
    const next: typeof level = []
    const look = (inner: unknown) => {
      if (depth === maxDepth) throw new ApiError(400)
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
