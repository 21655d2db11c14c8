import { MIMEType } from 'node:util'
import { ApiError } from '../errors.ts'

export const partsAtMost = 1000
/** Bytes of the headers of one part, and of all of them: each byte is parsed by itself. */
const headAtMost = 8192
const headsAtMost = 131_072
/** Source: RFC 2046, section 5.1.1. */
const boundaryAtMost = 70

/**
 * Takes a multipart form apart.
 *
 * @returns its parts, by name and in their order
 * @throws ApiError 413 for too many parts or too much in their headers, 400 for what cannot be read
 */
export async function readMultipart(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
): Promise<[string, string | File][]> {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const boundary = Buffer.from(`--${boundaryOf(contentType)}`)
  const places = placesOf(content, boundary)
  // Counted before they are taken apart, which keeps everybody waiting for a second at 20,000.
  if (places.length > partsAtMost + 1) throw new ApiError(413)
  const heads = headsOf(content, boundary, places)
  if (heads.reduce((sum, { start, end }) => sum + end - start, 0) > headsAtMost)
    throw new ApiError(413)
  try {
    const headers = { 'Content-Type': contentType }
    const body = withPlainQuotes(content, heads)
    return [...(await new Response(body, { headers }).formData())]
  } catch (cause) {
    throw new ApiError(400, '', {}, cause)
  }
}

function boundaryOf(contentType: string): string {
  try {
    const boundary = new MIMEType(contentType).params.get('boundary') ?? ''
    if (boundary.length <= boundaryAtMost) return boundary
  } catch {
    return ''
  }
  throw new ApiError(400)
}

/** @returns where the boundary stands, up to one more than there may be parts */
function placesOf(content: Buffer, boundary: Buffer): number[] {
  const places: number[] = []
  for (let at = content.indexOf(boundary); at >= 0; at = content.indexOf(boundary, at + 1))
    if (places.push(at) > partsAtMost + 1) break
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
    const length = content.subarray(start, start + headAtMost).indexOf('\r\n\r\n')
    if (length >= 0) return [{ start, end: start + length }]
    if (content.length - start < headAtMost) return []
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
