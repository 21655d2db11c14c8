import { parseIsbn } from '#shared/isbn.ts'
import { partialMd5 } from './partial-md5.ts'

/** KOReader's name for a file, and the ISBN of its book. */
export interface Epub {
  document: string
  /** '' if the file has none. */
  isbn: string
}

/** The most bytes of a file inside an EPUB that are read. */
const maxPart = 4 * 1024 * 1024

/**
 * Reads an EPUB in the browser: a ZIP file with a description of the book.
 *
 * @throws Error if it isn't one
 */
export async function readEpub(file: Blob): Promise<Epub> {
  const parts = await partsOf(file)
  const container = await readXml(file, parts, 'META-INF/container.xml')
  const path = container.querySelector('rootfile')?.getAttribute('full-path') ?? ''
  const description = await readXml(file, parts, path)
  const identifiers = [...description.getElementsByTagNameNS('*', 'identifier')]
  const isbns = identifiers.map((one) => parseIsbn(one.textContent.replace(/^\s*urn:isbn:/i, '')))
  return { document: await partialMd5(file), isbn: isbns.find((one) => one !== null) ?? '' }
}

/** A file inside a ZIP file. */
interface Part {
  isDeflated: boolean
  compressed: number
  /** Offset of its local header. */
  at: number
}

const viewOf = async (part: Blob) => new DataView(await part.arrayBuffer())

/** Reads a ZIP file's directory, which is at its end. */
async function partsOf(file: Blob): Promise<Map<string, Part>> {
  const tail = await viewOf(file.slice(-65_557))
  let end = tail.byteLength - 22
  while (end >= 0 && tail.getUint32(end, true) !== 0x06054b50) end--
  if (end < 0) throw new Error('no ZIP file')
  const [length, start] = [tail.getUint32(end + 12, true), tail.getUint32(end + 16, true)]
  const directory = await viewOf(file.slice(start, start + length))
  const parts = new Map<string, Part>()
  for (let at = 0; at + 46 <= directory.byteLength;) {
    const [name, extra, comment] = [28, 30, 32].map((by) => directory.getUint16(at + by, true))
    const path = new TextDecoder().decode(new Uint8Array(directory.buffer, at + 46, name))
    parts.set(path, {
      isDeflated: directory.getUint16(at + 10, true) === 8,
      compressed: directory.getUint32(at + 20, true),
      at: directory.getUint32(at + 42, true),
    })
    at += 46 + name! + extra! + comment!
  }
  return parts
}

async function readXml(file: Blob, parts: Map<string, Part>, path: string): Promise<Document> {
  const part = parts.get(path)
  if (!part || part.compressed > maxPart) throw new Error(`no ${path}`)
  const header = await viewOf(file.slice(part.at, part.at + 30))
  const start = part.at + 30 + header.getUint16(26, true) + header.getUint16(28, true)
  const stored = file.slice(start, start + part.compressed)
  const plain = part.isDeflated
    ? stored.stream().pipeThrough(new DecompressionStream('deflate-raw'))
    : stored.stream()
  return new DOMParser().parseFromString(await textOf(plain), 'application/xml')
}

/** @throws Error for more text than a description can have */
async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text
    text += decoder.decode(value, { stream: true })
    if (text.length > maxPart) {
      await reader.cancel()
      throw new Error('too long')
    }
  }
}
