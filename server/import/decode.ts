import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { checkRoom } from './disk-room.ts'
import { ImportError } from './import-error.ts'

/** Bytes to detect UTF-16 without a byte order mark from. */
const sample = 4096

/** A file with text in UTF-8; `start` skips a byte order mark. */
export interface TextFile {
  path: string
  start: number
}

/**
 * Converts a file's text to UTF-8 if necessary, from UTF-16, or else from Windows-1252, which
 * includes Latin-1 and may be mixed with UTF-8. Reads it in chunks.
 *
 * @param out the path to write to if the file isn't UTF-8
 * @throws ImportError if the file isn't text
 */
export async function toUtf8(path: string, out: string): Promise<TextFile> {
  const encoding = encodingOf(await readBytes(path, 0, sample))
  if (encoding === 'utf-8') return { path, start: 3 }
  if (!encoding && (await isUtf8(path))) return { path, start: 0 }
  const decoded = encoding ? inEncoding(path, encoding) : mixedText(path)
  const encoded = Readable.from(encode(decoded))
  await pipeline(encoded, checkRoom(dirname(out)), createWriteStream(out))
  return { path: out, start: 0 }
}

async function* encode(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) yield Buffer.from(text)
}

/** @returns part of a file; fewer bytes at its end */
export async function readBytes(path: string, from: number, length: number): Promise<Buffer> {
  await using file = await open(path, 'r')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from)
  return buffer.subarray(0, bytesRead)
}

/** @throws ImportError for a file with zero bytes, which text doesn't have */
async function isUtf8(path: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let isValid = true
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    if (chunk.includes(0)) throw new ImportError('fileNotText')
    isValid &&= canDecode(decoder, chunk)
  }
  return isValid && canDecode(decoder)
}

function canDecode(decoder: TextDecoder, chunk?: Uint8Array): boolean {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined })
    return true
  } catch {
    return false
  }
}

async function* inEncoding(path: string, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>)
    yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

const multibyte =
  /[\xC2-\xDF][\x80-\xBF]|[\xE0-\xEF][\x80-\xBF]{2}|[\xF0-\xF4][\x80-\xBF]{3}|[\x80-\xFF]/g

/**
 * Decodes Windows-1252, except for valid UTF-8 sequences: LibraryThing mixes both in one file, and
 * those sequences make no sense in Windows-1252.
 */
async function* mixedText(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of createReadStream(path, 'latin1') as AsyncIterable<string>) {
    const text = rest + chunk
    // A character of up to four bytes may span two chunks.
    rest = /[\x80-\xFF]{1,3}$/.exec(text)?.[0] ?? ''
    yield fromMixed(text.slice(0, text.length - rest.length))
  }
  yield fromMixed(rest)
}

function fromMixed(text: string): string {
  const windows = new TextDecoder('windows-1252')
  return text.replace(multibyte, (found) => {
    const part = Buffer.from(found, 'latin1')
    return found.length > 1 ? part.toString('utf8') : windows.decode(part)
  })
}

/** @returns the encoding, by the byte order mark or by the position of zero bytes */
function encodingOf(start: Uint8Array): string | undefined {
  const [a, b, c] = start
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  const zeros = [0, 0]
  for (const [place, byte] of start.entries()) if (byte === 0) zeros[place % 2]!++
  const many = start.length / 4
  if (zeros[1]! > many && zeros[0]! < many / 4) return 'utf-16le'
  if (zeros[0]! > many && zeros[1]! < many / 4) return 'utf-16be'
  return undefined
}
