import { createReadStream, openSync, readSync, closeSync, statSync } from 'node:fs'
import { createGunzip } from 'node:zlib'

/** An error that the operator can fix: a file that is missing, cut short or in the wrong format. */
export class ImportError extends Error {
  override name = 'ImportError'
}

/** Some complete lines of a dump. */
export interface DumpChunk {
  text: Uint8Array<ArrayBuffer>
  /** Bytes read so far of the file on disk. */
  bytes: number
}

/** Large reads, so that decompression stays ahead of parsing. */
const readSize = 1 << 20
const newline = 10

/**
 * Yields the lines of a dump, gzipped or not, about a megabyte at a time.
 *
 * @param skip number of lines to skip
 * @throws ImportError if it can't be read to its end
 */
export async function* dumpChunks(file: string, skip: number): AsyncGenerator<DumpChunk> {
  const source = createReadStream(file, { highWaterMark: readSize })
  const unpacked = isGzip(file) ? source.pipe(createGunzip({ chunkSize: readSize })) : source
  source.on('error', (error) => unpacked.destroy(error))
  let rest: Buffer = Buffer.alloc(0)
  let left = skip
  try {
    for await (const piece of unpacked as AsyncIterable<Buffer>) {
      const data = rest.length > 0 ? Buffer.concat([rest, piece]) : piece
      const { end, passed } = passLines(data, left)
      left -= passed
      const last = data.lastIndexOf(newline) + 1
      if (last > end)
        yield { text: new Uint8Array(data.subarray(end, last)), bytes: source.bytesRead }
      rest = data.subarray(last)
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ImportError(`${file} cannot be read to the end: ${reason}`)
  } finally {
    source.destroy()
  }
  // The last line may lack a newline.
  if (left === 0 && rest.length > 0) yield { text: new Uint8Array(rest), bytes: source.bytesRead }
}

/** @returns where the first `max` lines end, and how many there are */
function passLines(data: Buffer, max: number): { end: number; passed: number } {
  let end = 0
  let passed = 0
  while (passed < max) {
    const at = data.indexOf(newline, end)
    if (at < 0) break
    end = at + 1
    passed += 1
  }
  return { end, passed }
}

/**
 * @returns the lines of a chunk, each decoded separately: most have only Latin letters, for which
 *   V8 uses half the memory and parses faster
 */
export function linesOfChunk(text: Uint8Array<ArrayBuffer>): string[] {
  const piece = Buffer.from(text.buffer)
  const lines: string[] = []
  for (let start = 0; start < piece.length;) {
    const found = piece.indexOf(newline, start)
    const end = found < 0 ? piece.length : found
    lines.push(piece.toString('utf8', start, end))
    start = end + 1
  }
  return lines
}

function isGzip(file: string): boolean {
  const handle = openSync(file, 'r')
  try {
    const magic = Buffer.alloc(2)
    readSync(handle, magic, 0, 2, 0)
    return magic[0] === 0x1f && magic[1] === 0x8b
  } finally {
    closeSync(handle)
  }
}

/**
 * @returns a fingerprint of the file, and its size in bytes
 * @throws ImportError if there is no such file
 */
export function dumpStat(file: string): { state: string; size: number } {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found?.isFile()) throw new ImportError(`There is no file ${file}`)
  return { state: `${found.size} ${found.mtimeMs}`, size: found.size }
}
