import { once } from 'node:events'
import { setInterval, setTimeout } from 'node:timers/promises'
import { parentPort, type Worker } from 'node:worker_threads'
import { startThread } from '#threads/start-thread.ts'
import type { ImportReason } from '#shared/import.ts'
import { ImportError } from './import-error.ts'

/**
 * Megabytes. Files are streamed, so this is more than any needs, and little enough for a server to
 * spare.
 */
const memory = 256

/** Milliseconds of processor time, for a file and for each of its rows. */
const defaultTime = { file: 60_000, row: 1000 }
export type ThreadTime = typeof defaultTime
/** Milliseconds between looks at a thread. */
const lookEvery = 250
/**
 * Milliseconds for a thread to tell its processor time, which it can't while SQLite is at work. On a
 * busy machine it may have to wait for its turn.
 */
const tellWithin = 60_000
/** Milliseconds to wait for a thread to end. */
const endWithin = 2000

/** What a thread is given beside its own task. */
export interface ThreadTask {
  /** Shared: the number of the current row, and the processor time when it began. */
  place: Float64Array
}

/** A thread that reads a file of somebody's. */
export interface Thread<First> {
  /** Its first message. */
  first: First
  /** Asks for its next message. @throws ImportError if that fails, or takes too long */
  next<T>(): Promise<T>
  end(): Promise<void>
}

/**
 * Starts a thread with limits on its memory and processor time. It answers with {@link answerWith}
 * at the start and to each message.
 *
 * @param task its `workerData`, to which `place` is added
 * @param options.signal ends the thread
 * @throws ImportError as the thread's first message, or if it takes too much; the signal's reason
 */
export async function readInThread<First>(
  script: URL,
  task: object,
  { signal, time = defaultTime }: { signal: AbortSignal; time?: ThreadTime | undefined },
): Promise<Thread<First>> {
  signal.throwIfAborted()
  const place = new Float64Array(new SharedArrayBuffer(16))
  const given: ThreadTask = { ...task, place }
  const worker = startThread(script, given, { maxOldGenerationSizeMb: memory })
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
    const [message] = (await Promise.race([once(worker, 'message'), failed])) as [
      T | { error: ImportReason; cause: string },
    ]
    if (message && typeof message === 'object' && 'error' in message)
      throw new ImportError(message.error.key, message.error.params, message.cause)
    return message
  }
  try {
    const first = await answer<First>()
    const next = <T>() => {
      worker.postMessage('next')
      return answer<T>()
    }
    return { first, next, end }
  } catch (error) {
    await end()
    throw error
  }
}

/** Fails a thread that takes too much processor time. @returns a function that stops it */
function watchTime(
  { worker, place, time }: { worker: Worker; place: Float64Array; time: ThreadTime },
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
    const [row = 0, start = 0] = place
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

/** In such a thread: sends what the work returns, or why it failed. */
export async function answerWith(work: () => Promise<object>): Promise<void> {
  const port = parentPort!
  try {
    port.postMessage(await work())
  } catch (error) {
    port.postMessage({
      error: error instanceof ImportError ? error.reason : { key: 'fileUnreadable' },
      cause: error instanceof ImportError ? '' : String(error),
    })
  }
}
