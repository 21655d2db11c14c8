import { on } from 'node:events'
import type { ResourceLimits } from 'node:worker_threads'
import { startThread } from '../start-thread.ts'

/** Memory of a thread; what it reads is larger than any memory. */
export const workerLimits: ResourceLimits = { maxOldGenerationSizeMb: 192 }

/** Parts of some work that several threads share, each taking its turn, in order. */
export interface Batches<Batch> extends AsyncIterable<Batch>, AsyncDisposable {}

/**
 * Starts threads that make parts of some work; each is a few parts ahead. They end when the parts are
 * disposed of.
 *
 * @param script run in each thread; it sends a part for every message it gets, the last one told so
 * @param shares what each thread is told
 * @param ahead parts that a thread may have made before they are asked for
 */
export function openBatches<Batch extends { isLast: boolean }>(
  script: URL,
  shares: readonly unknown[],
  ahead: number,
): Batches<Batch> {
  const threads = shares.map((share) => {
    const worker = startThread(script, share, workerLimits)
    for (let i = 0; i < ahead; i++) worker.postMessage('more')
    return { worker, made: on(worker, 'message') as AsyncIterator<[Batch]> }
  })
  return {
    async *[Symbol.asyncIterator]() {
      const left = new Set(threads)
      while (left.size > 0)
        for (const thread of left) {
          const [batch] = (await thread.made.next()).value
          if (batch.isLast) left.delete(thread)
          else thread.worker.postMessage('more')
          yield { ...batch, isLast: left.size === 0 }
        }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(threads.map(({ worker }) => worker.terminate()))
    },
  }
}
