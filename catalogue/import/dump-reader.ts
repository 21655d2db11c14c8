import { startThread } from '#threads/start-thread.ts'
import { workerLimits } from './batches.ts'
import { dumpChunks } from './dump-lines.ts'
import type { Dump } from './options.ts'
import type { ParsedLines } from './read-dump.ts'
import type { ParseJob } from './read-worker.ts'
import type { Subset } from './records.ts'

/** The records of some lines, and the reading position. */
export interface ParsedBatch extends ParsedLines {
  /** Bytes read so far of the file on disk. */
  bytes: number
  isLast: boolean
}

/** Parsing lines takes about twice as long as staging them. */
const readingThreads = 2
/** The most chunks of a megabyte that are parsed or being parsed but not yet staged. */
const maxInFlight = 28
const script = new URL('./read-worker.ts', import.meta.url)

/** Parses dumps in several threads. */
export interface DumpReader extends AsyncDisposable {
  /**
   * Yields a dump's records in order, about a megabyte at a time. The dump is decompressed once,
   * and the threads parse chunks in turn.
   *
   * @param skip number of lines to skip
   * @throws ImportError if it can't be read to its end; the reader is then unusable
   */
  read(dump: Dump, file: string, skip: number): AsyncGenerator<ParsedBatch>
}

/**
 * Starts the parser threads; disposing of the reader ends them.
 *
 * @param subset the editions to import
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
      // The promise of an earlier chunk reports the failure.
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
