import { statfs } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { ImportError } from './import-error.ts'

/** Bytes of the disk that imports leave for everything else. */
const spare = 48 * 1_048_576
/** Bytes that may be written between two looks at the disk. */
const step = 4 * 1_048_576

/**
 * @param folder on the disk
 * @param bytes to be written
 * @throws ImportError if other writes wouldn't have enough space left
 */
export async function requireRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize - bytes < spare) throw new ImportError('noSpace')
}

/** @returns a stream that fails with an ImportError while the disk has too little space */
export function checkRoom(folder: string): Transform {
  let unchecked = step
  return new Transform({
    transform(chunk: Buffer, _, done) {
      unchecked += chunk.length
      if (unchecked < step) return done(null, chunk)
      unchecked = 0
      requireRoom(folder, step).then(() => done(null, chunk), done)
    },
  })
}
