import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { getCompileCacheDir } from 'node:module'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setInterval, setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { temporaryFolder } from '#records/index.ts'
import type { DateOrder, ImportFormat, ImportReason } from '#shared/import.ts'
import { checkRoom } from './disk-room.ts'
import { ImportError } from './import-error.ts'
import type { EarlierRow } from './duplicate-finder.ts'
import type { SizedRow } from './row.ts'

/**
 * Megabytes. Files are streamed, so this is more than any needs, and little enough for a server to
 * spare.
 */
const memory = 256

/** Milliseconds of processor time, for a file and for each of its rows. */
const defaultTime = { file: 60_000, row: 1000 }
/** Milliseconds between looks at a thread. */
const lookEvery = 250
/**
 * Milliseconds for a thread to tell its processor time, which it can't while SQLite is at work. On a
 * busy machine it may have to wait for its turn.
 */
const tellWithin = 60_000
/** Milliseconds to wait for a thread to end. */
const endWithin = 2000

/** @returns the folder for files while they are read; in the data folder, as /tmp may be small */
export const importFolder = (dataDir: string) => join(dataDir, 'importing')

/** A file that is being read in a thread. */
export interface ParsedFile extends AsyncDisposable {
  format: ImportFormat
  ambiguous: string[]
  /** Columns with values that aren't read. */
  unused: string[]
  total: number
  /** Bytes of the file. */
  size: number
  /** The next rows; none at the end. @throws ImportError if they take too long */
  rows(): Promise<FileRow[]>
}

/** A row of another tracker's file comes with the earlier row about the same book, if any. */
export interface FileRow extends SizedRow {
  earlier: EarlierRow | null
}

/** What the thread is given. */
export interface ParseTask {
  path: string
  order: DateOrder | undefined
  /** Shared: the number of the current row, and the processor time when it began. */
  place: Float64Array
}

interface ParseOptions {
  within: string
  signal: AbortSignal
  time?: typeof defaultTime
}

/**
 * Reads a file in its own thread, so that a crash affects nothing else. Meanwhile the file is in
 * its own folder, along with its text in UTF-8 if it has another encoding.
 *
 * @param content the file, in pieces
 * @param options.within the parent of these folders
 * @param options.signal ends the thread
 * @throws ImportError if the file can't be read, or takes too much time, memory or disk space; the
 *   signal's reason
 */
export async function parseInThread(
  content: AsyncIterable<Uint8Array>,
  order: DateOrder | undefined,
  { within, signal, time = defaultTime }: ParseOptions,
): Promise<ParsedFile> {
  const folder = await temporaryFolder(within, 'file')
  const path = join(folder, 'file')
  try {
    await pipeline(content, checkRoom(folder), createWriteStream(path), { signal })
    const { size } = await stat(path)
    const { head, answer, worker, end } = await startWorker({ path, order }, { signal, time })
    return {
      ...head,
      size,
      async rows() {
        worker.postMessage('next')
        return (await answer<{ rows: FileRow[] }>()).rows
      },
      async [Symbol.asyncDispose]() {
        await end()
        await rm(folder, { recursive: true, force: true })
      },
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

type Head = Pick<ParsedFile, 'format' | 'ambiguous' | 'unused' | 'total'>

async function startWorker(
  file: Omit<ParseTask, 'place'>,
  { signal, time }: Required<Omit<ParseOptions, 'within'>>,
) {
  signal.throwIfAborted()
  const cache = getCompileCacheDir()
  const place = new Float64Array(new SharedArrayBuffer(16))
  const worker = new Worker(new URL('./parse-worker.ts', import.meta.url), {
    workerData: { ...file, place } satisfies ParseTask,
    resourceLimits: { maxOldGenerationSizeMb: memory },
    execArgv: [],
    // Without the process's compile cache, each thread loads its own TypeScript compiler.
    env: cache ? { NODE_COMPILE_CACHE: dirname(cache) } : {},
  })
  const { promise: failed, reject: fail } = Promise.withResolvers<never>()
  failed.catch(() => undefined)
  worker.once('error', (cause) => fail(new ImportError('fileTooMuchMemory', {}, cause)))
  worker.once('exit', () => fail(new Error('the thread that reads a file has stopped')))
  const abort = () => fail(signal.reason)
  signal.addEventListener('abort', abort)
  const stopWatching = watchTime({ worker, place, time }, fail)
  // A thread in SQLite's hands ends only when that returns.
  const end = async () => {
    signal.removeEventListener('abort', abort)
    stopWatching()
    await Promise.race([worker.terminate(), setTimeout(endWithin, undefined, { ref: false })])
  }
  const answer = async <T>(): Promise<T> => {
    const [said] = (await Promise.race([once(worker, 'message'), failed])) as [
      T | { error: ImportReason; cause: string },
    ]
    if (said && typeof said === 'object' && 'error' in said)
      throw new ImportError(said.error.key, said.error.params, said.cause)
    return said
  }
  try {
    return { worker, answer, end, head: await answer<Head>() }
  } catch (error) {
    await end()
    throw error
  }
}

/** Fails a thread that takes too much processor time. @returns a function that stops it */
function watchTime(
  { worker, place, time }: { worker: Worker; place: Float64Array; time: typeof defaultTime },
  fail: (error: ImportError) => void,
): () => void {
  const stopped = new AbortController()
  const { signal } = stopped
  const late = () => fail(new ImportError('fileTooSlow'))
  const look = async () => {
    const used = await Promise.race([
      worker.cpuUsage(),
      setTimeout(tellWithin, null, { ref: false, signal }),
    ])
    if (!used) return late()
    const [row, start] = place as unknown as [number, number]
    const now = (used.user + used.system) / 1000
    if (now > time.file) late()
    else if (row && now - start > time.row && row === place[0])
      fail(new ImportError('rowTooSlow', { row }))
  }
  void (async () => {
    for await (const _ of setInterval(lookEvery, undefined, { ref: false, signal })) await look()
  })().catch(() => undefined)
  return () => stopped.abort()
}
