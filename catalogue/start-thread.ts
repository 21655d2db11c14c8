import { Worker, type ResourceLimits } from 'node:worker_threads'

/**
 * A thread of the catalogue. It is run by no flag and knows no setting of the process: what it needs
 * it is told.
 *
 * @param script such as `new URL('./worker.ts', import.meta.url)`
 * @param workerData what the script is told
 */
export function startThread(
  script: URL,
  workerData?: unknown,
  resourceLimits: ResourceLimits = {},
): Worker {
  return new Worker(script, { workerData, resourceLimits, execArgv: [], env: {} })
}
