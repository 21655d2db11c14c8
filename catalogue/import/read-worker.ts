import { parentPort, workerData } from 'node:worker_threads'
import type { Reply } from './batches.ts'
import type { Reading, ReadBatch } from './read-dump.ts'
import { readBatches } from './read-dump.ts'
import { ImportError } from './dump-lines.ts'

/** Only in a worker: reads a dump, a batch for each message it is sent. */
function serve(reading: Reading): void {
  const batches = readBatches(reading)
  const next = async (): Promise<Reply<ReadBatch> | null> => {
    try {
      const { value: batch } = await batches.next()
      return batch === undefined ? null : { batch }
    } catch (error) {
      if (error instanceof ImportError) return { failure: error.message }
      throw error
    }
  }
  let last = Promise.resolve()
  const answer = async () => {
    const reply = await next()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    if (reply !== null) parentPort?.postMessage(reply)
  }
  parentPort?.on('message', () => {
    last = last.then(answer)
  })
}

if (parentPort !== null) serve(workerData as Reading)
