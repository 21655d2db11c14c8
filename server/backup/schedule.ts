import { fork, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Database } from '#records/index.ts'
import { runJobs, whileRenewing, type JobRunner } from '../runtime/jobs.ts'
import type { Config } from '../settings/config.ts'
import { ageProblem } from './last-backup.ts'
import {
  claim,
  claimBackup,
  readSchedule,
  recordBackup,
  recordFailure,
  releaseClaim,
  renewClaim,
} from './schedule-state.ts'
import type { BackupResult } from './scheduled-run.ts'

/** Milliseconds between checks whether a backup is due. */
const lookEvery = 60_000
/** Milliseconds between two warnings that the newest backup is too old. */
const warnEvery = 86_400_000
/** Milliseconds for an interrupted backup to remove what it has written. */
const cleanUpTime = 5000

/** A claimed backup, with when it was claimed in milliseconds since 1970. */
interface DueBackup {
  id: string
  attempted: number
}

type Source = Pick<Config, 'dataDir' | 'databaseUrl'> & { backups: NonNullable<Config['backups']> }

/**
 * Makes backups at regular times while the server runs, each in a process of its own. Of several
 * servers on one PostgreSQL database with the same `BACKUP_TO`, one makes each backup. The database
 * remembers the last one, so a restart doesn't make another.
 *
 * @returns closing it abandons a backup that is being made
 */
export function scheduleBackups(config: Source, database: Database, log: Logger): JobRunner {
  const { folder, every } = config.backups
  let warned = -Infinity

  async function next(): Promise<DueBackup | undefined> {
    const attempted = Date.now()
    const id = await claimBackup(database, folder, every, attempted)
    if (id) return { id, attempted }
    await warnIfOld()
    return undefined
  }

  async function make({ id, attempted }: DueBackup, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return releaseClaim(database, folder, attempted)
    // While the database is away the claim may expire; then another process tries, too.
    const renew = () => renewClaim(database, folder, attempted, Date.now())
    const result = await whileRenewing(renew, claim / 4, () => runBackup(config, id, signal))
    if (signal.aborted && 'failure' in result) return releaseClaim(database, folder, attempted)
    if ('failure' in result) {
      log.error(`The backup to ${folder} failed: ${result.failure}`)
      return recordFailure(database, folder, attempted, result.failure)
    }
    const seconds = Math.round((Date.now() - attempted) / 1000)
    log.info({ pictures: result.pictures, seconds }, `backed up to ${join(folder, result.name)}`)
    for (const warning of result.warnings) log.warn(warning)
    await recordBackup(database, folder, attempted, result)
  }

  async function warnIfOld(): Promise<void> {
    if (performance.now() - warned < warnEvery) return
    const problem = ageProblem(await readSchedule(database, folder), config.backups, Date.now())
    if (!problem) return
    warned = performance.now()
    log.warn(`Backups to ${folder}: ${problem}`)
  }

  return runJobs(
    { next, run: make },
    {
      every: lookEvery,
      onError: (error) => log.error({ err: error }, 'the schedule of backups could not be read'),
    },
  )
}

/** Makes a backup in a process of its own, which is ended when the server stops. */
async function runBackup(config: Source, id: string, signal: AbortSignal): Promise<BackupResult> {
  const child = startBackup(config, id)
  let impatience: NodeJS.Timeout | undefined
  const end = () => {
    child.kill('SIGTERM')
    impatience = setTimeout(() => child.kill('SIGKILL'), cleanUpTime)
  }
  signal.addEventListener('abort', end)
  try {
    return await resultOf(child)
  } finally {
    signal.removeEventListener('abort', end)
    clearTimeout(impatience)
  }
}

function startBackup({ dataDir, databaseUrl }: Source, id: string): ChildProcess {
  return fork(join(import.meta.dirname, 'scheduled-run.ts'), [id], {
    execArgv: [],
    // The settings of .env are in it. A demo has others than the environment.
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? '' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
}

function resultOf(child: ChildProcess): Promise<BackupResult> {
  let result: BackupResult | undefined
  let printed = ''
  child.on('message', (message) => (result = message as BackupResult))
  child.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ failure: error.message }))
    child.once('close', (code, signal) =>
      resolve(result ?? { failure: printed.trim() || `its process ended with ${signal ?? code}` }),
    )
  })
}
