import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * @param folder exists
 * @param bytes that will be written to it
 * @param what needs them
 * @throws if its disk has less room, naming both
 */
export async function requireSpace(folder: string, bytes: number, what: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const room = bavail * bsize
  if (room < bytes)
    throw new Error(
      `${what} may take ${Math.ceil(bytes / 1e6)} MB, and ${folder} has room for ${Math.floor(room / 1e6)} MB`,
    )
}

/** @returns whether the data folder's pictures can be hard-linked into a folder, taking no space */
export function canLink(dataDir: string, folder: string): boolean {
  const pictures = join(dataDir, 'files')
  return !existsSync(pictures) || statSync(pictures).dev === statSync(folder).dev
}
