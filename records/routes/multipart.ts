import { randomUUID } from 'node:crypto'
import { MIMEType } from 'node:util'
import { ApiError } from '../errors.ts'

export const maxParts = 1000
/** Bytes of one part's headers, and of all parts' headers, as each byte is parsed separately. */
const maxHeadBytes = 8192
const maxHeadsBytes = 131_072
/** Source: RFC 2046, section 5.1.1. */
const maxBoundaryLength = 70

/** A form field's name and value. */
export type Part = readonly [string, string | File]

/**
 * Parses a multipart form.
 *
 * @returns its parts in order
 * @throws ApiError 413 for too many parts or too long headers, 400 for an unreadable form
 */
export async function readMultipart(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
): Promise<Part[]> {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const boundary = Buffer.from(`--${boundaryOf(contentType)}`)
  const places = placesOf(content, boundary)
  // Counted before parsing, which would block the process for a second at 20,000 parts.
  if (places.length > maxParts + 1) throw new ApiError(413)
  const heads = headsOf(content, boundary, places)
  if (heads.reduce((sum, { start, end }) => sum + end - start, 0) > maxHeadsBytes)
    throw new ApiError(413)
  try {
    const headers = { 'Content-Type': contentType }
    const body = withPlainQuotes(content, heads)
    return [...(await new Response(body, { headers }).formData())]
  } catch (cause) {
    throw new ApiError(400, '', {}, cause)
  }
}

/** Bytes; larger parts stay in the file. */
const largePart = 4096

/**
 * Parses a form in a file, like `readMultipart` for one in memory. Large parts aren't read but
 * returned as slices of the file.
 *
 * @param text the limit on text parts, in characters
 * @throws ApiError like `readMultipart`, and 413 for more text or a large part with a transfer
 *   encoding
 */
export async function readLargeMultipart(
  form: Blob,
  contentType: string,
  text: number,
): Promise<Part[]> {
  const { rest, cuts } = await cutLargeParts(form, Buffer.from(`--${boundaryOf(contentType)}`))
  let left = text * 3
  const parts: Part[] = []
  for (const [name, value] of await readMultipart(rest, contentType)) {
    const isFile = typeof value !== 'string'
    const cut = cuts.get(!isFile ? value : value.size === markLength ? await value.text() : '')
    if (!cut) parts.push([name, value])
    else if (isFile) parts.push([name, new File([cut], value.name, { type: value.type })])
    // A UTF-16 unit takes at most three bytes. The characters themselves are counted later.
    else if ((left -= cut.size) < 0) throw new ApiError(413)
    else parts.push([name, utf8.decode(await cut.arrayBuffer())])
  }
  return parts
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
const markLength = randomUUID().length

/** @returns the form with a marker in place of each large part, and those parts by marker */
async function cutLargeParts(form: Blob, boundary: Buffer) {
  const places = await placesIn(form, boundary)
  if (places.length > maxParts + 1) throw new ApiError(413)
  const [first = 0] = places
  const kept: (Blob | string)[] = [form.slice(Math.max(0, first - lineEnd.length), first)]
  const cuts = new Map<string, Blob>()
  for (const [at, place] of places.entries()) {
    const start = place + boundary.length
    const end = places[at + 1] ?? form.size
    if (end - start <= maxHeadBytes + largePart) {
      kept.push(form.slice(place, end))
      continue
    }
    const head = Buffer.from(await form.slice(start, start + maxHeadBytes).arrayBuffer())
    const length = head.indexOf(headEnd)
    if (/content-transfer-encoding/i.test(head.toString('latin1', 0, Math.max(0, length))))
      throw new ApiError(413)
    const content = start + (length < 0 ? maxHeadBytes : length + headEnd.length)
    const mark = randomUUID()
    cuts.set(mark, form.slice(content, end - lineEnd.length))
    kept.push(form.slice(place, content), mark, form.slice(end - lineEnd.length, end))
  }
  return { rest: new Uint8Array(await new Blob(kept).arrayBuffer()), cuts }
}

/** @returns the positions of the boundary in a file, like `placesOf` */
async function placesIn(form: Blob, boundary: Buffer): Promise<number[]> {
  const places: number[] = []
  let before: Buffer = Buffer.alloc(0)
  let offset = 0
  for await (const chunk of form.stream()) {
    const content = Buffer.concat([before, chunk])
    for (const place of placesOf(content, boundary)) places.push(offset + place)
    if (places.length > maxParts + 1) break
    // A boundary may span two chunks.
    before = content.subarray(Math.max(0, content.length - boundary.length + 1))
    offset += content.length - before.length
  }
  return places
}

function boundaryOf(contentType: string): string {
  try {
    const boundary = new MIMEType(contentType).params.get('boundary') ?? ''
    if (boundary.length <= maxBoundaryLength) return boundary
  } catch {
    return ''
  }
  throw new ApiError(400)
}

/** @returns the positions of the boundary; stops once there are too many */
function placesOf(content: Buffer, boundary: Buffer): number[] {
  const places: number[] = []
  for (let at = content.indexOf(boundary); at >= 0; at = content.indexOf(boundary, at + 1))
    if (places.push(at) > maxParts + 1) break
  return places
}

interface Head {
  start: number
  end: number
}

/**
 * @returns the start and end of each part's headers
 * @throws ApiError 413 if a part's headers are too long
 */
function headsOf(content: Buffer, boundary: Buffer, places: readonly number[]): Head[] {
  return places.flatMap((place) => {
    const start = place + boundary.length
    const isDelimiter = place === 0 || content.subarray(place - 2, place).equals(lineEnd)
    if (!isDelimiter || !content.subarray(start, start + 2).equals(lineEnd)) return []
    const length = content.subarray(start, start + maxHeadBytes).indexOf(headEnd)
    if (length >= 0) return [{ start, end: start + length }]
    if (content.length - start < maxHeadBytes) return []
    throw new ApiError(413)
  })
}

/** An escaped quote inside a name, as opposed to a name that ends in a backslash. */
const escapedQuote = /\\"(?!\r\n|$|;\s*[\w*-]+=)/g

/**
 * Browsers send a quote in a name as `%22`. Curl and others send `\"`, which the parser would take
 * for the end of the name.
 */
function withPlainQuotes(
  content: Buffer<ArrayBuffer>,
  heads: readonly Head[],
): Blob | Buffer<ArrayBuffer> {
  const pieces: Buffer<ArrayBuffer>[] = []
  let copied = 0
  for (const { start, end } of heads) {
    const head = content.toString('latin1', start, end)
    const plain = head.replace(escapedQuote, '%22')
    if (plain === head) continue
    pieces.push(content.subarray(copied, start), Buffer.from(plain, 'latin1'))
    copied = end
  }
  return pieces.length ? new Blob([...pieces, content.subarray(copied)]) : content
}

const lineEnd = Buffer.from('\r\n')
const headEnd = Buffer.from('\r\n\r\n')
