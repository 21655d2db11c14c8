import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { DateOrder, ImportFormat } from '#shared/import.ts'
import { ImportError } from './import-error.ts'
import type { ParsedRow } from './row.ts'

/** Megabytes: more than a file of the largest size takes, less than a server misses. */
const memory = 512

/** A file that a thread has read. */
export interface ParsedFile {
  format: ImportFormat
  ambiguous: string[]
  total: number
  /** Some rows from a place on, counted from 0; none at the end. */
  rows(from: number): Promise<ParsedRow[]>
  close(): Promise<void>
}

/**
 * Reads a file in a thread of its own, which is all that it can bring down.
 *
 * @param bytes handed over
 * @throws ImportError in a sentence, for what can't be read
 */
export async function parseInThread(
  bytes: Uint8Array<ArrayBuffer>,
  order: DateOrder | undefined,
): Promise<ParsedFile> {
  const cache = getCompileCacheDir()
  const worker = new Worker(new URL('./parse-worker.ts', import.meta.url), {
    workerData: { bytes, order },
    transferList: [bytes.buffer],
    resourceLimits: { maxOldGenerationSizeMb: memory },
    execArgv: [],
    // Without the process's cache, each thread holds a compiler of TypeScript.
    env: cache ? { NODE_COMPILE_CACHE: dirname(cache) } : {},
  })
  const failed = new Promise<never>((_, reject) => {
    worker.once('error', (cause) =>
      reject(new ImportError('This file takes too much memory to read.', { cause })),
    )
    worker.once('exit', () => reject(new Error('the thread that reads a file has stopped')))
  })
  failed.catch(() => undefined)
  const answer = async <T>() => ((await Promise.race([once(worker, 'message'), failed])) as [T])[0]
  const close = async () => void (await worker.terminate())
  const head = await answer<
    { format: ImportFormat; ambiguous: string[]; total: number } | { error: string; cause: string }
  >()
  if ('error' in head) {
    await close()
    throw new ImportError(head.error, { cause: head.cause })
  }
  return {
    ...head,
    async rows(from) {
      worker.postMessage(from)
      return (await answer<{ rows: ParsedRow[] }>()).rows
    },
    close,
  }
}
