import { fork, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Database } from '#records/index.ts'
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

type Source = Pick<Config, 'dataDir' | 'databaseUrl'> & { backups: NonNullable<Config['backups']> }

/**
 * Makes backups at regular times while the server runs, each in a process of its own. Of several
 * servers on one PostgreSQL database with the same `BACKUP_TO`, one makes each backup. The database
 * remembers the last one, so a restart doesn't make another.
 *
 * @returns a function that stops it: a backup that is being made is abandoned
 */
export function scheduleBackups(
  config: Source,
  database: Database,
  log: Logger,
): () => Promise<void> {
  const { folder, every } = config.backups
  let child: ChildProcess | undefined
  let working: Promise<void> | undefined
  let isOver = false
  let warned = -Infinity

  async function look(): Promise<void> {
    const now = Date.now()
    const id = await claimBackup(database, folder, every, now)
    if (id) await make(id, now)
    if (!isOver) await warnIfOld()
  }

  async function make(id: string, attempted: number): Promise<void> {
    if (isOver) return releaseClaim(database, folder, attempted)
    const renewing = setInterval(() => {
      // While the database is away the claim may expire; then another process tries, too.
      renewClaim(database, folder, attempted, Date.now()).catch(() => undefined)
    }, claim / 4)
    child = startBackup(config, id)
    const result = await resultOf(child).finally(() => clearInterval(renewing))
    child = undefined
    if (isOver && 'failure' in result) return releaseClaim(database, folder, attempted)
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

  function start(): void {
    working ??= look()
      .catch((error: unknown) => {
        // While the server stops, the database may already be closed.
        if (!isOver) log.error({ err: error }, 'the schedule of backups could not be read')
      })
      .finally(() => (working = undefined))
  }

  start()
  const timer = setInterval(start, lookEvery).unref()
  return async () => {
    isOver = true
    clearInterval(timer)
    child?.kill('SIGTERM')
    const impatience = setTimeout(() => child?.kill('SIGKILL'), cleanUpTime)
    await working
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
