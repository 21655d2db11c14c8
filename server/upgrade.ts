import type { Logger } from 'pino'
import type { Database } from '#records/index.ts'
import { backUpBeforeUpgrade } from './backup/before-upgrade.ts'
import type { Config } from './config.ts'
import { migrate, migrations, schemaOf } from './migrations/migrate.ts'
import { showProgress } from './progress.ts'

/** Any number that nothing else of the product locks. */
const lock = 20_261_123

/**
 * Brings the database to the code's schema. A library that readers have used is backed up before,
 * unless that is turned off; of processes over one PostgreSQL one does so, and the others wait.
 *
 * @throws StartError if it cannot be backed up, or is newer than the code
 */
export async function upgrade(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 's3' | 'backupBeforeUpgrade'>,
  database: Database,
  log: Logger,
  steps = migrations,
): Promise<void> {
  if ((await schemaIn(database)) === steps.length) return
  await alone(database, async () => {
    // A new database takes part as well: half made, it would look like an older library.
    if (!(await isOlder(database, steps.length))) return migrate(database, steps)
    const from = await schemaOf(database)
    console.log(`Upgrading the library from schema ${from} to ${steps.length}`)
    if (config.backupBeforeUpgrade) {
      using progress = showProgress('Backing up', log)
      const folder = await backUpBeforeUpgrade(config, database, steps.length, progress.update)
      console.log(`Backed up to ${folder}`)
    } else log.warn('BACKUP_BEFORE_UPGRADE is off: upgrading the library without a backup')
    const began = performance.now()
    await migrate(database, steps, (step, name) =>
      console.log(`Upgrading the library: step ${step} of ${steps.length} (${name})`),
    )
    console.log(`Upgraded the library in ${((performance.now() - began) / 1000).toFixed(1)} s`)
  })
}

/** @returns whether the database holds a library of an earlier schema */
async function isOlder(database: Database, schema: number): Promise<boolean> {
  const own = await schemaIn(database)
  return own > 0 && own < schema
}

/** A new database has no table to ask; one that is away says so at the next step. */
const schemaIn = (database: Database) => schemaOf(database).catch(() => 0)

/** SQLite's file is held by this process already. */
async function alone(database: Database, work: () => Promise<void>): Promise<void> {
  if (database.dialect.name === 'sqlite') return work()
  await database.transaction(async (tx) => {
    // A backup takes as long as it takes, and so do those who wait for it.
    await tx.query('SET LOCAL lock_timeout = 0')
    await tx.query('SET LOCAL idle_in_transaction_session_timeout = 0')
    await tx.query(`SELECT pg_advisory_xact_lock(${lock})`)
    await work()
  })
}
