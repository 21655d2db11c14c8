import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker, type ResourceLimits } from 'node:worker_threads'

/**
 * Starts a worker thread, without the process's flags and environment.
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

/** Without the process's compile cache each thread would load a TypeScript compiler of 13 MB. */
function compileCache() {
  const cache = getCompileCacheDir()
  // Node adds a folder for its version below the given one.
  return cache ? { NODE_COMPILE_CACHE: dirname(cache) } : {}
}
