import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { FoldedWork } from '#catalogue/index/docs.ts'
import { rankedDocs } from '#catalogue/index/ranked.ts'

/** Works in one message between the threads. */
export const batchSize = 400

/** Only in a worker: folds the ranked works of a file, a batch for each message it is sent. */
function serve(file: string): void {
  const db = new DatabaseSync(file, { readOnly: true })
  db.exec('PRAGMA cache_size = -49152; PRAGMA temp_store = FILE')
  const works = rankedDocs(db)
  parentPort?.on('message', () => {
    const batch: FoldedWork[] = []
    while (batch.length < batchSize) {
      const next = works.next()
      if (next.done) break
      batch.push(next.value)
    }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    parentPort?.postMessage(batch)
    if (batch.length < batchSize) parentPort?.close()
  })
}

if (typeof workerData === 'string') serve(workerData)
