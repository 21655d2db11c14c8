import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { getCompileCacheDir } from 'node:module'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Worker } from 'node:worker_threads'
import type { DateOrder, ImportFormat } from '#shared/import.ts'
import { ImportError } from './import-error.ts'
import type { EarlierRow } from './duplicate-finder.ts'
import type { ParsedRow } from './row.ts'

/**
 * Megabytes. Files are streamed, so this is more than any needs, and little enough for a server to
 * spare.
 */
const memory = 256

/** @returns the folder for files while they are read; in the data folder, as /tmp may be small */
export const importFolder = (dataDir: string) => join(dataDir, 'importing')

/** A file that is being read in a thread. */
export interface ParsedFile extends AsyncDisposable {
  format: ImportFormat
  ambiguous: string[]
  total: number
  /** The next rows; none at the end. */
  rows(): Promise<FileRow[]>
}

/** A row of another tracker's file comes with the earlier row about the same book, if any. */
export interface FileRow extends ParsedRow {
  earlier: EarlierRow | null
}

/**
 * Reads a file in its own thread, so that a crash affects nothing else. Meanwhile the file is in
 * its own folder, along with its text in UTF-8 if it has another encoding.
 *
 * @param content the file, in pieces
 * @param within the parent of these folders; folders left behind by a crash are deleted
 * @throws ImportError if the file can't be read
 */
export async function parseInThread(
  content: AsyncIterable<Uint8Array>,
  order: DateOrder | undefined,
  within: string,
): Promise<ParsedFile> {
  await mkdir(within, { recursive: true, mode: 0o700 })
  await removeLeftovers(within)
  const folder = await mkdtemp(join(within, 'file-'))
  const path = join(folder, 'file')
  try {
    await pipeline(content, createWriteStream(path))
    const { head, answer, worker } = await startWorker({ path, order })
    return {
      ...head,
      async rows() {
        worker.postMessage('next')
        return (await answer<{ rows: FileRow[] }>()).rows
      },
      async [Symbol.asyncDispose]() {
        await worker.terminate()
        await rm(folder, { recursive: true, force: true })
      },
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** Milliseconds; longer than any file takes to read. */
const leftoverAfter = 6 * 3_600_000

async function removeLeftovers(within: string): Promise<void> {
  for (const name of await readdir(within)) {
    const path = join(within, name)
    const found = await stat(path).catch(() => null)
    if (found && Date.now() - found.mtimeMs > leftoverAfter)
      await rm(path, { recursive: true, force: true })
  }
}

type Head = Pick<ParsedFile, 'format' | 'ambiguous' | 'total'>

async function startWorker(workerData: { path: string; order: DateOrder | undefined }) {
  const cache = getCompileCacheDir()
  const worker = new Worker(new URL('./parse-worker.ts', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: memory },
    execArgv: [],
    // Without the process's compile cache, each thread loads its own TypeScript compiler.
    env: cache ? { NODE_COMPILE_CACHE: dirname(cache) } : {},
  })
  const failed = new Promise<never>((_, reject) => {
    worker.once('error', (cause) =>
      reject(new ImportError('This file takes too much memory to read.', { cause })),
    )
    worker.once('exit', () => reject(new Error('the thread that reads a file has stopped')))
  })
  failed.catch(() => undefined)
  const answer = async <T>(): Promise<T> => {
    const [said] = (await Promise.race([once(worker, 'message'), failed])) as [
      T | { error: string; cause: string },
    ]
    if (said && typeof said === 'object' && 'error' in said)
      throw new ImportError(said.error, { cause: said.cause })
    return said
  }
  try {
    return { worker, answer, head: await answer<Head>() }
  } catch (error) {
    await worker.terminate()
    throw error
  }
}
