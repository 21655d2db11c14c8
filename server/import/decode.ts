import { ImportError } from './import-error.ts'

/** Looked at to tell UTF-16 without a mark from other text. */
const sample = 4096

/**
 * The text of a file, whatever it is encoded in: UTF-8, UTF-16, or else Windows-1252, of which
 * Latin-1 is a part, and mixtures of it with UTF-8.
 *
 * @throws ImportError for what is no text
 */
export function decodeText(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes)
  if (encoding) return new TextDecoder(encoding).decode(bytes)
  if (bytes.includes(0))
    throw new ImportError('This file isn’t text. Choose the file as you downloaded it.')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return mixedText(bytes)
  }
}

const multibyte =
  /[\xC2-\xDF][\x80-\xBF]|[\xE0-\xEF][\x80-\xBF]{2}|[\xF0-\xF4][\x80-\xBF]{3}|[\x80-\xFF]/g

/**
 * Windows-1252, except where the bytes make sense in UTF-8: LibraryThing writes both into one file,
 * and in Windows-1252 such pairs are no words.
 */
function mixedText(bytes: Uint8Array): string {
  const windows = new TextDecoder('windows-1252')
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replace(multibyte, (found) => {
      const part = Buffer.from(found, 'latin1')
      return found.length > 1 ? part.toString('utf8') : windows.decode(part)
    })
}

/** @returns an encoding that the file names or that its zeros give away */
function encodingOf(bytes: Uint8Array): string | undefined {
  const [a, b, c] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  const start = bytes.subarray(0, sample)
  const zeros = [0, 0]
  for (const [place, byte] of start.entries()) if (byte === 0) zeros[place % 2]!++
  const many = start.length / 4
  if (zeros[1]! > many && zeros[0]! < many / 4) return 'utf-16le'
  if (zeros[0]! > many && zeros[1]! < many / 4) return 'utf-16be'
  return undefined
}
