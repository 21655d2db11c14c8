import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ImportError } from './import-error.ts'

/** Looked at to tell UTF-16 without a mark from other text. */
const sample = 4096

/** Text in UTF-8, and where in its file it begins: after a mark. */
export interface TextFile {
  path: string
  start: number
}

/**
 * Has the text of a file in UTF-8, whatever it is encoded in: UTF-8, UTF-16, or else Windows-1252,
 * of which Latin-1 is a part, and mixtures of it with UTF-8. Reads it in pieces.
 *
 * @param out where it is written if the file isn't UTF-8
 * @throws ImportError for what is no text
 */
export async function toUtf8(path: string, out: string): Promise<TextFile> {
  const encoding = encodingOf(await readBytes(path, 0, sample))
  if (encoding === 'utf-8') return { path, start: 3 }
  if (!encoding && (await isUtf8(path))) return { path, start: 0 }
  const decoded = encoding ? inEncoding(path, encoding) : mixedText(path)
  await pipeline(Readable.from(decoded), createWriteStream(out))
  return { path: out, start: 0 }
}

/** @returns a part of a file, or what there is of it */
export async function readBytes(path: string, from: number, length: number): Promise<Buffer> {
  await using file = await open(path, 'r')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from)
  return buffer.subarray(0, bytesRead)
}

/** @throws ImportError for a file with zeros, which no text has */
async function isUtf8(path: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let isValid = true
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    if (chunk.includes(0))
      throw new ImportError('This file isn’t text. Choose the file as you downloaded it.')
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
 * Windows-1252, except where the bytes make sense in UTF-8: LibraryThing writes both into one file,
 * and in Windows-1252 such pairs are no words.
 */
async function* mixedText(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of createReadStream(path, 'latin1') as AsyncIterable<string>) {
    const text = rest + chunk
    // A character has four bytes at most, which may stand in two chunks.
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

/** @returns an encoding that the file names or that its zeros give away */
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
