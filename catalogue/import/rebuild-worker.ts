import { isMainThread, workerData } from 'node:worker_threads'
import { catalogueFiles } from '../files.ts'
import { starter } from '../starter-works.ts'
import { rebuild } from './import-dumps.ts'
import { leastEditionsOf } from './staging.ts'

/** Only in a worker: makes the index of a folder anew of the import that is kept there. */
async function serve(folder: string): Promise<void> {
  const files = catalogueFiles(folder)
  const leastEditions = leastEditionsOf(files.staged)
  if (leastEditions === null) return
  await rebuild(files, leastEditions, starter(), { begins: () => {}, goesOn: () => {} })
}

if (!isMainThread && typeof workerData === 'string') await serve(workerData)
