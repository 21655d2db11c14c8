import { parentPort, workerData } from 'node:worker_threads'
import type { DraftJob } from '#catalogue/index/draft.ts'
import { doDraftJob } from '#catalogue/index/draft.ts'

// Only in a worker: does the part it is told, and ends.
if (parentPort !== null) doDraftJob(workerData as DraftJob)
