import { parentPort, workerData } from 'node:worker_threads'
import { linesOfChunk } from './dump-lines.ts'
import type { Dump } from './options.ts'
import { lineParser } from './read-dump.ts'
import type { Subset } from './records.ts'

/** A chunk of a dump to parse. */
export interface ParseJob {
  dump: Dump
  text: Uint8Array<ArrayBuffer>
}

/** The worker's main function: parses chunks of dumps in the order they arrive. */
function serve(subset: Subset): void {
  const read = lineParser(subset)
  parentPort?.on('message', ({ dump, text }: ParseJob) => {
    parentPort?.postMessage(read(dump, linesOfChunk(text)))
  })
}

if (parentPort !== null) serve(workerData as Subset)
