import { parentPort, workerData } from 'node:worker_threads'
import type { DraftJob } from '#catalogue/index/draft.ts'
import { runDraftJob } from '#catalogue/index/draft.ts'

// The worker's main code: runs one job and ends.
if (parentPort !== null) runDraftJob(workerData as DraftJob)
