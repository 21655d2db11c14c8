import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import { mayComeBack, openPostgres, openSqlite, type Database } from '#records/index.ts'
import type { Config } from '#server/settings/config.ts'
import { StartError } from '#server/storage/data-folder.ts'
import { failureMessage } from '#server/runtime/failure.ts'
import { upgrade } from './upgrade.ts'

/** Milliseconds: how long a start waits for PostgreSQL, and between two attempts. */
const patience = { within: 60_000, interval: 1000 }

/**
 * Opens the server's database and upgrades it. PostgreSQL may start later than Octavo, so a server
 * that is away is waited for.
 *
 * @throws StartError in words an operator can act on
 */
export async function openDatabase(
  config: Config,
  log: Logger,
  { within, interval } = patience,
): Promise<Database> {
  const { databaseUrl, pooledUrl, dataDir } = config
  const open = () =>
    databaseUrl ? openPostgres(databaseUrl, { pooledUrl }) : openSqlite(join(dataDir, 'octavo.db'))
  const database = await whenBack(open, { within, interval }, log).catch((error: unknown) => {
    throw explained(error, config)
  })
  if (databaseUrl && pooledUrl) {
    await using direct = await openPostgres(databaseUrl)
    await upgrade(config, direct, log)
  } else await upgrade(config, database, log)
  return database
}

async function whenBack(
  open: () => Database | Promise<Database>,
  { within, interval }: typeof patience,
  log: Logger,
): Promise<Database> {
  const end = performance.now() + within
  let isWaiting = false
  for (;;)
    try {
      return await open()
    } catch (error) {
      if (!mayComeBack(error) || performance.now() > end) throw error
      if (!isWaiting) log.warn(`${failureMessage(error)}. Waiting for it for a minute`)
      isWaiting = true
      await setTimeout(interval)
    }
}

function explained(error: unknown, config: Config): StartError {
  const reason = failureMessage(error)
  const advice = databaseAdvice(reason, config)
  return new StartError(`The database cannot be opened: ${reason || 'no answer'}${advice}`, {
    cause: error,
  })
}

function databaseAdvice(reason: string, { databaseUrl, pooledUrl }: Config): string {
  if (/damaged|malformed|not a database/.test(reason))
    return '. Move the data folder away and restore a backup: npm run restore -- <backup>'
  if (/DATABASE_DIRECT_URL/.test(reason)) return ''
  if (pooledUrl)
    return '. Check that DATABASE_URL leads to a pooler and DATABASE_DIRECT_URL to the server behind it, and that both are running'
  return databaseUrl ? '. Check DATABASE_URL and that its server is running' : ''
}
