import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { FoldedBatch } from '#catalogue/index/ranked.ts'
import { foldedBatches } from '#catalogue/index/ranked.ts'
import type { Reply } from './batches.ts'

/** Only in a worker: folds the ranked works of a file, a batch for each message it is sent. */
function serve(file: string): void {
  const db = new DatabaseSync(file, { readOnly: true })
  db.exec('PRAGMA cache_size = -49152; PRAGMA temp_store = FILE')
  const batches = foldedBatches(db)
  parentPort?.on('message', () => {
    const { value: batch } = batches.next()
    if (batch === undefined) return
    const reply: Reply<FoldedBatch> = { batch }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    parentPort?.postMessage(reply)
    if (batch.isLast) parentPort?.close()
  })
}

if (typeof workerData === 'string') serve(workerData)
