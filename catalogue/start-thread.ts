import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker, type ResourceLimits } from 'node:worker_threads'

/**
 * A thread of the catalogue. It is run by no flag and knows no setting of the process: what it needs
 * it is told.
 *
 * @param script such as `new URL('./worker.ts', import.meta.url)`
 */
export function startThread(
  script: URL,
  workerData?: unknown,
  resourceLimits: ResourceLimits = {},
): Worker {
  return new Worker(script, { workerData, resourceLimits, execArgv: [], env: compileCache() })
}

/** Without the process's cache, each thread holds a compiler of TypeScript: 13 MB. */
function compileCache() {
  const cache = getCompileCacheDir()
  // Node names a folder of its version below the one that is given.
  return cache ? { NODE_COMPILE_CACHE: dirname(cache) } : {}
}
