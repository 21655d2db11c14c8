import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** In the format of `sha256sum`, so that a backup can be checked without Octavo. */
const file = 'SHA256SUMS'

/** @returns the SHA-256 of a file's bytes, in hexadecimal digits */
export async function sumOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** @param sums by path below the folder, with / between its parts */
export async function writeSums(folder: string, sums: ReadonlyMap<string, string>): Promise<void> {
  const lines = [...sums].map(([path, sum]) => `${sum}  ${path}\n`)
  await writeFile(join(folder, file), lines.join(''), { mode: 0o600, flush: true })
}

/**
 * Reads what a backup holds and checks that all of it is whole.
 *
 * @returns the paths below the folder
 * @throws naming the first file that is missing, damaged or outside the folder
 */
export async function verifySums(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, file), 'utf8').catch(() => {
    throw new Error(`${folder} is not a backup of Octavo: it has no ${file}`)
  })
  const paths: string[] = []
  for (const line of text.split('\n').filter(Boolean)) {
    const [, sum, path] = /^([0-9a-f]{64}) {2}(\S+)$/.exec(line) ?? []
    if (!sum || !path || path.split('/').some((part) => /^\.{0,2}$|[\\:\0]/.test(part)))
      throw new Error(`${file} has a line that no backup of Octavo has: ${line}`)
    const place = join(folder, path)
    // A link could lead out of the backup.
    const isFile = await lstat(place).then(
      (found) => found.isFile(),
      () => false,
    )
    if (!isFile) throw new Error(`the backup is not whole: ${path} is missing`)
    if ((await sumOf(place)) !== sum) throw new Error(`the backup is damaged: ${path} has changed`)
    paths.push(path)
  }
  return paths
}
