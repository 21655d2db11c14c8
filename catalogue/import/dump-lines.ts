import { createReadStream, openSync, readSync, closeSync, statSync } from 'node:fs'
import { createGunzip } from 'node:zlib'

/** What a person can mend: a file that is missing, cut short or of another form. */
export class ImportError extends Error {
  override name = 'ImportError'
}

/** Lines of a dump and how far one is in its file. */
export interface Chunk {
  lines: string[]
  /** Bytes read of the file, as it lies on disk. */
  bytes: number
}

/** Large reads: the thread that unpacks works ahead of the one that parses. */
const readSize = 1 << 20
const newline = 10

/**
 * The lines of a dump, gzipped or not, a few thousand at once.
 *
 * @param file its path
 * @param skip so many lines from the start are passed over without being looked at
 * @throws ImportError when it cannot be read to its end
 */
export async function* dumpLines(file: string, skip: number): AsyncGenerator<Chunk> {
  const source = createReadStream(file, { highWaterMark: readSize })
  const unpacked = isGzip(file) ? source.pipe(createGunzip({ chunkSize: readSize })) : source
  source.on('error', (error) => unpacked.destroy(error))
  let rest: Buffer = Buffer.alloc(0)
  let left = skip
  try {
    for await (const piece of unpacked as AsyncIterable<Buffer>) {
      const data = rest.length > 0 ? Buffer.concat([rest, piece]) : piece
      let start = 0
      while (left > 0) {
        const end = data.indexOf(newline, start)
        if (end < 0) break
        start = end + 1
        left -= 1
      }
      const last = data.lastIndexOf(newline)
      if (left > 0 || last < start) {
        rest = data.subarray(left > 0 ? Math.max(start, last + 1) : start)
        continue
      }
      yield { lines: data.toString('utf8', start, last).split('\n'), bytes: source.bytesRead }
      rest = data.subarray(last + 1)
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ImportError(`${file} cannot be read to its end: ${reason}`)
  } finally {
    source.destroy()
  }
  if (rest.length > 0 && left === 0)
    yield { lines: [rest.toString('utf8')], bytes: source.bytesRead }
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
export function dumpState(file: string): { state: string; size: number } {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found?.isFile()) throw new ImportError(`There is no file ${file}`)
  return { state: `${found.size} ${found.mtimeMs}`, size: found.size }
}
