import type { Logger } from 'pino'
import type { Database } from '#records/index.ts'
import { backUpBeforeUpgrade } from '#server/backup/before-upgrade.ts'
import { lostPictures } from '#server/backup/manifest.ts'
import type { Config } from '#server/settings/config.ts'
import { migrate, migrations, schemaOf } from '#server/migrations/migrate.ts'
import { showProgress } from '#server/runtime/progress.ts'

/** An arbitrary number that no other advisory lock uses. */
const lock = 20_261_123

/**
 * Migrates the database to the code's schema, after a backup of a library that readers have used,
 * unless that is turned off. With several processes on one PostgreSQL one does it and the others
 * wait.
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
    // Lock a new database as well: half migrated, it would look like an older library.
    if (!(await isOlder(database, steps.length))) return migrate(database, steps)
    const from = await schemaOf(database)
    console.log(`Upgrading the library from schema ${from} to ${steps.length}`)
    if (config.backupBeforeUpgrade) {
      using progress = showProgress('Backing up', log)
      const made = await backUpBeforeUpgrade(config, database, steps.length, progress.update)
      console.log(`Backed up to ${made.folder}`)
      if (made.manifest.missing.length)
        log.warn(`The backup was made without ${lostPictures(made.manifest)}`)
    } else log.warn('BACKUP_BEFORE_UPGRADE is off: upgrading the library without a backup')
    const began = performance.now()
    {
      using progress = showProgress('Upgrading the library', log)
      await migrate(database, steps, progress.update)
    }
    console.log(`Upgraded the library in ${((performance.now() - began) / 1000).toFixed(1)} s`)
  })
}

/** @returns whether the database holds a library of an earlier schema */
async function isOlder(database: Database, schema: number): Promise<boolean> {
  const own = await schemaIn(database)
  return own > 0 && own < schema
}

/** A new database has no table of versions yet; if it can't be reached, the next step fails. */
const schemaIn = (database: Database) => schemaOf(database).catch(() => 0)

/** On SQLite this process has already locked the data folder. */
async function alone(database: Database, work: () => Promise<void>): Promise<void> {
  if (database.dialect.name === 'sqlite') return work()
  await database.transaction(async (tx) => {
    // Others wait as long as the backup takes.
    await tx.query('SET LOCAL lock_timeout = 0')
    await tx.query('SET LOCAL idle_in_transaction_session_timeout = 0')
    await tx.query(`SELECT pg_advisory_xact_lock(${lock})`)
    await work()
  })
}
