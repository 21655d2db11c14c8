import { createReadStream, openSync, readSync, closeSync, statSync } from 'node:fs'
import { createGunzip } from 'node:zlib'

/** What a person can mend: a file that is missing, cut short or of another form. */
export class ImportError extends Error {
  override name = 'ImportError'
}

/** Some whole lines of a dump. */
export interface DumpChunk {
  text: Uint8Array<ArrayBuffer>
  /** Bytes read of the file so far, as it lies on disk. */
  bytes: number
}

/** Large reads: the thread that unpacks works ahead of the one that parses. */
const readSize = 1 << 20
const newline = 10

/**
 * The lines of a dump, gzipped or not, about a megabyte at once.
 *
 * @param skip so many lines from the start are passed over
 * @throws ImportError when it cannot be read to its end
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
  // The last line may have no end.
  if (left === 0 && rest.length > 0) yield { text: new Uint8Array(rest), bytes: source.bytesRead }
}

/** @returns where the first lines end, no more than so many, and how many there are */
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
 * @returns the lines of a piece, each decoded by itself: most are Latin letters only, and then a string
 * of half the size, which is read faster
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
 * @returns a text that changes when the file does, and its size in bytes
 * @throws ImportError when there is no such file
 */
export function dumpStat(file: string): { state: string; size: number } {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found?.isFile()) throw new ImportError(`There is no file ${file}`)
  return { state: `${found.size} ${found.mtimeMs}`, size: found.size }
}
