import type { Logger } from 'pino'
import type { Config } from '../settings/config.ts'
import { openStorage } from '../storage/files.ts'
import { importFolder } from './parse.ts'
import { ImportQueue, type QueueDeps } from './queue.ts'
import type { ImportDeps } from './read-import.ts'

/** Milliseconds between looks for imports that another process has added, changed or deleted. */
const lookEvery = 2000
/** Milliseconds to wait for a hook's transaction to be committed. */
const soon = 20

/** Runs imports in the background, including unfinished ones. */
interface ImportRunner {
  /** Call when an import may have work to do, or has been deleted. */
  wake(): void
  /** Ends the threads that read, and stops after the current rows. */
  close(): Promise<void>
}

/** @returns a runner that works until it is closed */
export function runImports({
  config,
  ...parts
}: Pick<ImportDeps, 'database' | 'records' | 'catalogue'> & {
  config: Config
  log: Pick<Logger, 'error'>
}): ImportRunner {
  const deps = {
    ...parts,
    storage: openStorage(config),
    folder: importFolder(config.dataDir),
    planDefault: config.planDefault,
  }
  const queue = new ImportQueue(deps)
  let isOver = false
  let work: Promise<void> | undefined
  const look = () => {
    if (isOver) return
    const report = (error: unknown) => {
      if (!isOver) deps.log.error({ err: error }, 'failed to run imports')
    }
    queue.check().catch(report)
    work ??= queue
      .run()
      .catch(report)
      .finally(() => (work = undefined))
  }
  const wake = () => void setTimeout(look, soon).unref()
  const timer = setInterval(look, lookEvery).unref()
  // An import that a stop cut short goes on.
  wake()
  return {
    wake,
    async close() {
      isOver = true
      clearInterval(timer)
      queue.stop()
      await work
    },
  }
}

/**
 * Runs all pending imports and waits for them.
 *
 * @param only the id of an import; without it all are run
 */
export function runPendingImports(deps: QueueDeps, only?: string): Promise<void> {
  return new ImportQueue(deps, only).run()
}
