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

/** Which lines of a dump are read. */
export interface Part {
  /** So many lines from the start are passed over without being looked at. */
  skip: number
  /** So many lines make a batch. */
  batch: number
  /** Of so many batches, the one with this number is read; the others are for other threads. */
  share: { of: number; number: number }
}

/** Large reads: the thread that unpacks works ahead of the one that parses. */
const readSize = 1 << 20
const newline = 10

/**
 * The lines of a dump, gzipped or not, batch by batch.
 *
 * @param file its path
 * @throws ImportError when it cannot be read to its end
 */
export async function* dumpLines(
  file: string,
  { skip, batch, share }: Part,
): AsyncGenerator<Chunk> {
  const source = createReadStream(file, { highWaterMark: readSize })
  const unpacked = isGzip(file) ? source.pipe(createGunzip({ chunkSize: readSize })) : source
  source.on('error', (error) => unpacked.destroy(error))
  let rest: Buffer = Buffer.alloc(0)
  // The lines before the first batch are as those of a batch that is another's.
  let left = skip
  let turn = share.of - 1
  let mine = false
  let lines: string[] = []
  const next = () => {
    left = batch
    turn = (turn + 1) % share.of
    mine = turn === share.number
    lines = []
  }
  try {
    for await (const piece of unpacked as AsyncIterable<Buffer>) {
      const data = rest.length > 0 ? Buffer.concat([rest, piece]) : piece
      let start = 0
      for (;;) {
        if (left === 0) {
          if (lines.length > 0) yield { lines, bytes: source.bytesRead }
          next()
        }
        const { end, passed } = passLines(data, start, left)
        if (passed === 0) break
        if (mine) for (const line of linesOf(data, start, end)) lines.push(line)
        left -= passed
        start = end
      }
      rest = data.subarray(start)
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ImportError(`${file} cannot be read to its end: ${reason}`)
  } finally {
    source.destroy()
  }
  if (left === 0) next()
  // The last line may have no end.
  if (mine && rest.length > 0) lines.push(rest.toString('utf8'))
  if (lines.length > 0) yield { lines, bytes: source.bytesRead }
}

/** @returns where the lines end that begin at a place, no more than so many, and how many there are */
function passLines(data: Buffer, start: number, most: number): { end: number; passed: number } {
  let end = start
  let passed = 0
  while (passed < most) {
    const at = data.indexOf(newline, end)
    if (at < 0) break
    end = at + 1
    passed += 1
  }
  return { end, passed }
}

/** Decoded in one go: to decode each by itself takes longer. */
function linesOf(data: Buffer, start: number, end: number): string[] {
  return data.toString('utf8', start, end - 1).split('\n')
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
