import { startThread } from '../start-thread.ts'
import { workerLimits } from './batches.ts'
import { dumpChunks } from './dump-lines.ts'
import type { Dump } from './options.ts'
import type { ParsedLines } from './read-dump.ts'
import type { ParseJob } from './read-worker.ts'
import type { Subset } from './records.ts'

/** What some lines of a dump say, and how far one is with them. */
export interface ParsedBatch extends ParsedLines {
  /** Bytes read of the file so far, as it lies on disk. */
  bytes: number
  isLast: boolean
}

/** To read the lines costs about twice as much as to take them in. */
const readingThreads = 2
/** Pieces of a megabyte that they have or may have read before they are taken in. */
const maxInFlight = 28
const script = new URL('./read-worker.ts', import.meta.url)

/** Reads dumps in several threads. */
export interface DumpReader extends AsyncDisposable {
  /**
   * What a dump says, about a megabyte at once and in its order. It is unpacked once, and read by the
   * threads by turns.
   *
   * @param skip so many lines from the start are passed over
   * @throws ImportError when it cannot be read to its end; nothing more can be read then
   */
  read(dump: Dump, file: string, skip: number): AsyncGenerator<ParsedBatch>
}

/**
 * Starts the threads that read; they end when the reader is disposed of.
 *
 * @param subset what is wanted of the dumps
 */
export function openDumpReader(subset: Subset): DumpReader {
  const threads = Array.from({ length: readingThreads }, () => readingThread(subset))
  return {
    async *read(dump, file, skip) {
      const underWay: { read: Promise<ParsedLines>; bytes: number }[] = []
      let reached = 0
      let turn = 0
      const oldest = async (): Promise<ParsedBatch[]> => {
        const next = underWay.shift()
        if (!next) return []
        reached = next.bytes
        return [{ ...(await next.read), bytes: next.bytes, isLast: false }]
      }
      for await (const { text, bytes } of dumpChunks(file, skip)) {
        const thread = threads[turn++ % threads.length]
        if (thread) underWay.push({ read: thread.read({ dump, text }), bytes })
        if (underWay.length >= maxInFlight) yield* await oldest()
      }
      while (underWay.length > 0) yield* await oldest()
      yield { records: '[]', skipped: {}, lines: 0, bytes: reached, isLast: true }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(threads.map((thread) => thread.stop()))
    },
  }
}

function readingThread(subset: Subset) {
  const worker = startThread(script, subset, workerLimits)
  const waiting: PromiseWithResolvers<ParsedLines>[] = []
  let failed: Error | null = null
  worker.on('message', (read: ParsedLines) => waiting.shift()?.resolve(read))
  worker.on('error', (error: Error) => {
    failed = error
    for (const each of waiting.splice(0)) each.reject(error)
  })
  return {
    read(reading: ParseJob): Promise<ParsedLines> {
      const reply = Promise.withResolvers<ParsedLines>()
      // Who waits for an earlier piece hears of a failure first.
      reply.promise.catch(() => {})
      if (failed) reply.reject(failed)
      else {
        waiting.push(reply)
        worker.postMessage(reading, [reading.text.buffer])
      }
      return reply.promise
    },
    stop: () => worker.terminate(),
  }
}
