import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { Partition } from '#catalogue/building/ranked.ts'
import { foldedBatches } from '#catalogue/building/ranked.ts'

/** The file and the partition of ranked works to fold. */
export interface FoldJob {
  file: string
  partition: Partition
}

/** The worker's main function: folds its partition, one batch per message. */
function serve({ file, partition }: FoldJob): void {
  const db = new DatabaseSync(file, { readOnly: true })
  db.exec('PRAGMA cache_size = -16384; PRAGMA temp_store = FILE')
  const batches = foldedBatches(db, partition)
  parentPort?.on('message', () => {
    const { value: batch } = batches.next()
    if (batch === undefined) return
    parentPort?.postMessage(batch)
    if (batch.isLast) parentPort?.close()
  })
}

if (parentPort !== null) serve(workerData as FoldJob)
