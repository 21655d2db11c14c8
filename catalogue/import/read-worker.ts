import { parentPort, workerData } from 'node:worker_threads'
import { linesOfPiece } from './dump-lines.ts'
import type { Reading } from './read-dump.ts'
import { lineReader } from './read-dump.ts'

/** Only in a worker: reads pieces of a dump, in the order in which they are sent. */
function serve(reading: Reading): void {
  const read = lineReader(reading)
  parentPort?.on('message', (text: Uint8Array<ArrayBuffer>) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    parentPort?.postMessage(read(linesOfPiece(text)))
  })
}

if (parentPort !== null) serve(workerData as Reading)
