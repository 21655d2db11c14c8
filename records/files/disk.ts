import { randomBytes } from 'node:crypto'
import { open, opendir, mkdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { assertKey } from './names.ts'
import type { ByteRange, Content, FileStorage, StoredFile } from './storage.ts'

/** Bytes. Smaller files are read at once, as a stream would cost more than it saves. */
const small = 262_144

/**
 * Stores files in a folder on this machine, readable only by the process's user. A file is written
 * under a temporary name in its folder, synced and renamed, so that a power failure leaves the
 * whole file or none.
 *
 * @param root the folder, created with the first file
 */
export function diskStorage(root: string): FileStorage {
  const pathOf = (key: string) => {
    assertKey(key)
    return join(root, ...key.split('/'))
  }
  return {
    async put(key, content) {
      const path = pathOf(key)
      for (let attempt = 1; ; attempt++) {
        try {
          return await write(root, path, content)
        } catch (error) {
          // Deleting another file has just removed the folder.
          if (!isMissing(error) || attempt === 5) throw error
        }
      }
    },
    read: (key, range) => readFile(pathOf(key), range),
    async delete(key) {
      const path = pathOf(key)
      await rm(path, { recursive: key.endsWith('/'), force: true })
      await removeEmpty(dirname(path), root)
    },
    async *list(prefix) {
      yield* walk(root, prefix ? pathOf(prefix) : root)
    },
  }
}

async function write(root: string, path: string, content: Uint8Array | Blob): Promise<void> {
  const folder = dirname(path)
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  const temporary = join(folder, `.${randomBytes(8).toString('hex')}.tmp`)
  try {
    const data = content instanceof Blob ? content.stream() : content
    await writeFile(temporary, data, { flag: 'wx', mode: 0o600, flush: true })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  // New entries are only durable once their folder is synced.
  const top = made === undefined ? folder : dirname(made)
  for (let each = folder; ; each = dirname(each)) {
    await syncFolder(each)
    if (each === top || each === resolve(root, '..')) return
  }
}

async function syncFolder(path: string): Promise<void> {
  // Windows can't open folders, but writes their entries through.
  if (process.platform === 'win32') return
  await using folder = await open(path, 'r')
  await folder.sync()
}

async function readFile(path: string, range?: ByteRange): Promise<Content | null> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (isMissing(error)) return null
    throw error
  })
  if (!file) return null
  try {
    const found = await file.stat()
    if (!found.isFile()) {
      await file.close()
      return null
    }
    const { size } = found
    const start = range?.start ?? 0
    const end = Math.min(range?.end ?? size - 1, size - 1)
    if (end - start >= small) {
      const stream = file.createReadStream({ start, end })
      return Readable.toWeb(stream) as ReadableStream<Uint8Array<ArrayBuffer>>
    }
    const bytes = new Uint8Array(Math.max(0, end - start + 1))
    await file.read(bytes, 0, bytes.length, start)
    await file.close()
    return bytes
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Removes folders that have become empty. */
async function removeEmpty(folder: string, root: string): Promise<void> {
  for (let each = folder; each !== resolve(root) && each.startsWith(resolve(root));) {
    try {
      await rmdir(each)
    } catch {
      // The folder isn't empty, or another request has removed it.
      return
    }
    each = dirname(each)
  }
}

async function* walk(root: string, folder: string): AsyncIterable<StoredFile> {
  const entries = await opendir(folder).catch((error: unknown) => {
    if (isMissing(error)) return null
    throw error
  })
  if (!entries) return
  for await (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* walk(root, path)
    else {
      const found = await stat(path).catch(() => null)
      const key = relative(root, path).split(sep).join('/')
      if (found) yield { key, size: found.size, modified: found.mtimeMs }
    }
  }
}

function isMissing(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'EISDIR'
}
