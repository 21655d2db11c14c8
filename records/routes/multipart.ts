import { MIMEType } from 'node:util'
import { ApiError } from '../errors.ts'

export const partsAtMost = 1000

/**
 * Takes a multipart form apart.
 *
 * @returns its parts, by name and in their order
 * @throws ApiError 413 for too many parts, 400 for what cannot be read
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
  try {
    const headers = { 'Content-Type': contentType }
    const body = withPlainQuotes(content, boundary, places)
    return [...(await new Response(body, { headers }).formData())]
  } catch (cause) {
    throw new ApiError(400, '', {}, cause)
  }
}

function boundaryOf(contentType: string): string {
  try {
    return new MIMEType(contentType).params.get('boundary') ?? ''
  } catch {
    return ''
  }
}

/** @returns where the boundary stands, up to one more than there may be parts */
function placesOf(content: Buffer, boundary: Buffer): number[] {
  const places: number[] = []
  for (let at = content.indexOf(boundary); at >= 0; at = content.indexOf(boundary, at + 1))
    if (places.push(at) > partsAtMost + 1) break
  return places
}

/** A quote inside a name; one that ends it after a backslash is followed by what comes after names. */
const escapedQuote = /\\"(?!\r\n|$|;\s*[\w*-]+=)/g

/**
 * Browsers send a quote in a name as `%22`, curl and others as `\"`, which the parser takes for the
 * end of the name.
 */
function withPlainQuotes(
  content: Buffer<ArrayBuffer>,
  boundary: Buffer,
  places: readonly number[],
): Blob | Buffer<ArrayBuffer> {
  const pieces: Buffer<ArrayBuffer>[] = []
  let copied = 0
  for (const place of places) {
    const start = place + boundary.length
    const isDelimiter = place === 0 || content.subarray(place - 2, place).equals(lineEnd)
    if (!isDelimiter || !content.subarray(start, start + 2).equals(lineEnd)) continue
    const end = content.indexOf('\r\n\r\n', start)
    if (end < start) continue
    const head = content.toString('latin1', start, end)
    const plain = head.replace(escapedQuote, '%22')
    if (plain === head) continue
    pieces.push(content.subarray(copied, start), Buffer.from(plain, 'latin1'))
    copied = end
  }
  return pieces.length ? new Blob([...pieces, content.subarray(copied)]) : content
}

const lineEnd = Buffer.from('\r\n')
