import { isMainThread, workerData } from 'node:worker_threads'
import { catalogueFiles } from '../files.ts'
import { starter } from '../starter-works.ts'
import { yieldToRequests } from '../yield-to-requests.ts'
import { lockFolder } from './lock.ts'
import { rebuild } from './import-dumps.ts'
import { stagedMinEditions } from './staging.ts'

/** Low priority: nobody waits for it. */
const niceness = 10

/** The worker's main function: rebuilds a folder's index from its stored import. */
async function serve(folder: string): Promise<void> {
  yieldToRequests(niceness)
  const files = catalogueFiles(folder)
  using _lock = lockFolder(files.lock)
  const leastEditions = stagedMinEditions(files.staged)
  if (leastEditions === null) return
  await rebuild(files, leastEditions, starter(), {
    start: () => {},
    update: () => {},
    stop: () => {},
  })
}

if (!isMainThread && typeof workerData === 'string') await serve(workerData)
