import type { Logger } from 'pino'
import { runAllJobs, runJobs, type JobRunner } from '../runtime/jobs.ts'
import type { Config } from '../settings/config.ts'
import { openStorage } from '../storage/files.ts'
import { importFolder } from './parse.ts'
import { ImportQueue, type QueueDeps } from './queue.ts'
import type { ImportDeps } from './read-import.ts'

/**
 * Runs imports in the background, including unfinished ones.
 *
 * @returns to be woken when an import may have work to do, or has been deleted. Closing it ends the
 *   threads that read, and stops after the current rows.
 */
export function runImports({
  config,
  ...parts
}: Pick<ImportDeps, 'database' | 'records' | 'catalogue'> & {
  config: Config
  log: Pick<Logger, 'error'>
}): JobRunner {
  const deps = {
    ...parts,
    storage: openStorage(config),
    folder: importFolder(config.dataDir),
    planDefault: config.planDefault,
  }
  const queue = new ImportQueue(deps)
  return runJobs(queue, {
    onLook: () => queue.check(),
    onError: (error) => deps.log.error({ err: error }, 'failed to run imports'),
  })
}

/**
 * Runs all pending imports and waits for them.
 *
 * @param only the id of an import; without it all are run
 */
export function runPendingImports(deps: QueueDeps, only?: string): Promise<void> {
  return runAllJobs(new ImportQueue(deps, only))
}
