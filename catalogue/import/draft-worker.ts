import { parentPort, workerData } from 'node:worker_threads'
import type { DraftJob } from '#catalogue/index/draft.ts'
import { runDraftJob } from '#catalogue/index/draft.ts'

// Only in a worker: does the part it is told, and ends.
if (parentPort !== null) runDraftJob(workerData as DraftJob)
