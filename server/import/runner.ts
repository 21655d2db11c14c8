import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { ImportRecord } from '#shared/import.ts'
import type { Plan } from '#shared/plan.ts'
import { query } from '#server/query.ts'
import type { Config } from '../config.ts'
import { openStorage } from '../files.ts'
import { applyImport } from './apply-import.ts'
import { ImportError } from './import-error.ts'
import { importFolder } from './parse.ts'
import { readImport, type ImportDeps } from './read-import.ts'
import { undoImport } from './undo-import.ts'

/** Milliseconds between checks for imports that another process or a command has added. */
const lookEvery = 2000
/** Milliseconds to wait for a hook's transaction to be committed. */
const soon = 20

/** Runs imports in the background, one after another, including unfinished ones. */
interface ImportRunner {
  /** Call when an import may have work to do. */
  wake(): void
  /** Stops after the current rows. */
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
  let isOver = false
  let work = Promise.resolve()
  let isWorking = false
  const look = () => {
    if (isWorking || isOver) return
    isWorking = true
    work = runPendingImports({ ...deps, isOver: () => isOver })
      .catch((error: unknown) => {
        if (!isOver) deps.log.error({ err: error }, 'failed to run imports')
      })
      .finally(() => {
        isWorking = false
      })
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
      await work
    },
  }
}

/** Runs all pending imports, the oldest first. */
export async function runPendingImports(
  deps: ImportDeps & { planDefault: Plan; log: Pick<Logger, 'error'> },
): Promise<void> {
  while (!deps.isOver?.()) {
    const [row] = await query(
      deps.database,
      sql`SELECT id FROM imports
        WHERE state IN ('reading', 'applying') OR (state = 'undone' AND applied > 0)
        ORDER BY updated LIMIT 1`,
    )
    if (!row) return
    const found = (await deps.records.find('imports', String(row[0]))) as ImportRecord | null
    if (found) await workOn(deps, found)
  }
}

async function workOn(
  deps: ImportDeps & { planDefault: Plan; log: Pick<Logger, 'error'> },
  found: ImportRecord,
): Promise<void> {
  try {
    if (found.state === 'reading') await readImport(deps, found)
    else if (found.state === 'applying') await applyImport(deps, found, deps.planDefault)
    else await undoImport(deps, found)
  } catch (error) {
    if (!(error instanceof ImportError)) deps.log.error({ err: error }, 'an import failed')
    const sentence =
      error instanceof ImportError ? error.message : 'Something went wrong on our side. Try again.'
    await deps.records.write(async (tx) => {
      const now = await tx.find('imports', found.id)
      if (now && now['state'] === found.state)
        await tx.update('imports', found.id, {
          state: found.state === 'applying' ? 'waiting' : 'failed',
          error: sentence,
        })
    })
  }
}
