import { randomUUID } from 'node:crypto'
import { MIMEType } from 'node:util'
import { ApiError } from '../errors.ts'

export const maxParts = 1000
/** Bytes of the headers of one part, and of all of them: each byte is parsed by itself. */
const maxHeadBytes = 8192
const maxHeadsBytes = 131_072
/** Source: RFC 2046, section 5.1.1. */
const maxBoundaryLength = 70

/** A field of a form, by name. */
export type Part = readonly [string, string | File]

/**
 * Takes a multipart form apart.
 *
 * @returns its parts, by name and in their order
 * @throws ApiError 413 for too many parts or too much in their headers, 400 for what cannot be read
 */
export async function readMultipart(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
): Promise<Part[]> {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const boundary = Buffer.from(`--${boundaryOf(contentType)}`)
  const places = placesOf(content, boundary)
  // Counted before they are taken apart, which keeps everybody waiting for a second at 20,000.
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

/** Bytes of a part from which on it stays where it is. */
const largePart = 4096

/**
 * Takes a form apart that is in a file, as `readMultipart` does one in memory. It is read without
 * its large parts, which come back as pieces of the file.
 *
 * @param text bytes of what is no file
 * @throws ApiError as `readMultipart` does, and 413 for more text or a large part that is encoded
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
    // A character takes three bytes at most, or two of them four; they are counted once read.
    else if ((left -= cut.size) < 0) throw new ApiError(413)
    else parts.push([name, utf8.decode(await cut.arrayBuffer())])
  }
  return parts
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
const markLength = randomUUID().length

/** @returns the form with a mark for each large part, and those parts by their marks */
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

/** @returns where the boundary stands in a file, as `placesOf` does */
async function placesIn(form: Blob, boundary: Buffer): Promise<number[]> {
  const places: number[] = []
  let before: Buffer = Buffer.alloc(0)
  let offset = 0
  for await (const chunk of form.stream()) {
    const content = Buffer.concat([before, chunk])
    for (const place of placesOf(content, boundary)) places.push(offset + place)
    if (places.length > maxParts + 1) break
    // A boundary may begin in one chunk and end in the next.
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

/** @returns where the boundary stands, up to one more than there may be parts */
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
 * @returns where the headers of each part begin and end
 * @throws ApiError 413 for those of one part that are too long
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

/** A quote inside a name; one that ends it after a backslash is followed by what comes after names. */
const escapedQuote = /\\"(?!\r\n|$|;\s*[\w*-]+=)/g

/**
 * Browsers send a quote in a name as `%22`, curl and others as `\"`, which the parser takes for the
 * end of the name.
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
