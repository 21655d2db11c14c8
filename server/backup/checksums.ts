import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isForbidden } from './manifest.ts'

/** In the format of `sha256sum`, so that a backup can be checked without Octavo. */
export const checksumsFile = 'SHA256SUMS'

/** @returns the SHA-256 of a file, in hexadecimal */
export async function checksumOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** @param sums by path within the folder, with / as separator */
export async function writeChecksums(
  folder: string,
  sums: ReadonlyMap<string, string>,
): Promise<void> {
  const lines = [...sums].map(([path, sum]) => `${sum}  ${path}\n`)
  await writeFile(join(folder, checksumsFile), lines.join(''), { mode: 0o600, flush: true })
}

/**
 * Reads the checksums of a backup.
 *
 * @returns the sums by path within the folder
 * @throws if the list is cut short, or has a duplicate path or one that leads out of the folder
 */
export async function readChecksums(folder: string): Promise<Map<string, string>> {
  const text = await readFile(join(folder, checksumsFile), 'utf8').catch((error: unknown) => {
    if (isForbidden(error)) throw error
    throw new Error(`${folder} is not an Octavo backup: it has no ${checksumsFile}`)
  })
  if (text && !text.endsWith('\n'))
    throw new Error(`the backup is incomplete: ${checksumsFile} ends in the middle of a line`)
  const sums = new Map<string, string>()
  for (const line of text.split('\n').slice(0, -1)) {
    const [, sum, path] = /^([0-9a-f]{64}) {2}(\S+)$/.exec(line) ?? []
    if (!sum || !path || path.split('/').some((part) => /^\.{0,2}$|[\\:\0]/.test(part)))
      throw new Error(`${checksumsFile} has a line that no Octavo backup has: ${line}`)
    if (sums.has(path)) throw new Error(`${checksumsFile} lists ${path} twice`)
    sums.set(path, sum)
  }
  return sums
}
