import type { ResourceLimits, Worker } from 'node:worker_threads'
import { startThread } from '../start-thread.ts'
import { ImportError } from './dump-lines.ts'

/** What a thread sends in answer to each request: a part of its work, or why there is none. */
export type Reply<Batch> = { batch: Batch } | { failure: string }

/** Memory of a thread; what it reads is larger than any memory. */
export const threadLimits: ResourceLimits = { maxOldGenerationSizeMb: 192 }

/**
 * Parts of some work from a thread of its own, in order; it is a few parts ahead.
 *
 * @param script run in the thread; it sends one reply for every message it gets
 * @param workerData what the script is told
 * @param ahead parts that the thread may have made before they are asked for
 * @throws ImportError with the reason the thread gave
 */
export async function* batches<Batch extends { isLast: boolean }>(
  script: URL,
  workerData: unknown,
  ahead: number,
): AsyncGenerator<Batch, undefined> {
  const worker = startThread(script, workerData, threadLimits)
  try {
    const ask = () => worker.postMessage('more')
    for (let i = 0; i < ahead; i++) ask()
    for await (const reply of replies<Batch>(worker)) {
      if ('failure' in reply) throw new ImportError(reply.failure)
      yield reply.batch
      if (reply.batch.isLast) return
      ask()
    }
  } finally {
    await worker.terminate()
  }
}

async function* replies<Batch>(worker: Worker): AsyncGenerator<Reply<Batch>> {
  const arrived: Reply<Batch>[] = []
  let failed: Error | null = null
  let wake = () => {}
  worker.on('message', (reply: Reply<Batch>) => {
    arrived.push(reply)
    wake()
  })
  worker.on('error', (error: Error) => {
    failed = error
    wake()
  })
  for (;;) {
    const reply = arrived.shift()
    if (reply) yield reply
    else if (failed) throw failed
    else
      await new Promise<void>((resolve) => {
        wake = resolve
      })
  }
}

/**
 * Parts of some work that several threads share, each taking its turn, in order.
 *
 * @param all the parts of each thread
 */
export async function* byTurns<Batch extends { isLast: boolean }>(
  all: AsyncGenerator<Batch, undefined>[],
): AsyncGenerator<Batch, undefined> {
  try {
    const left = new Set(all)
    while (left.size > 0)
      for (const batches of left) {
        const { value: batch } = await batches.next()
        if (batch === undefined) return
        if (batch.isLast) left.delete(batches)
        yield { ...batch, isLast: left.size === 0 }
      }
  } finally {
    await Promise.all(all.map((batches) => batches.return(undefined)))
  }
}
