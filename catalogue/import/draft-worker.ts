import { parentPort, workerData } from 'node:worker_threads'
import type { DraftJob } from '#catalogue/building/draft.ts'
import { runDraftJob } from '#catalogue/building/draft.ts'

// The worker's main code: runs one job and ends.
if (parentPort !== null) runDraftJob(workerData as DraftJob)
