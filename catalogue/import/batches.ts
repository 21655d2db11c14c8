import { on } from 'node:events'
import type { ResourceLimits } from 'node:worker_threads'
import { startThread } from '#threads/start-thread.ts'

/** A thread's memory limits; the input is larger than memory. */
export const workerLimits: ResourceLimits = { maxOldGenerationSizeMb: 192 }

/** Batches that several threads produce in turn, in order. */
export interface Batches<Batch> extends AsyncIterable<Batch>, AsyncDisposable {}

/**
 * Starts threads that produce batches, each a few ahead. Disposing of the batches ends the threads.
 *
 * @param script run in each thread; sends a batch for every message, the last one marked as such
 * @param shares the data of each thread
 * @param ahead batches that a thread may produce in advance
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
