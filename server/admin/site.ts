import { sql } from 'kysely'
import type { Database } from '#records/index.ts'
import { readSchedule } from '#server/backup/schedule-state.ts'
import { countPending } from '#server/devices/runner.ts'
import { runChecks } from '#server/health/checks.ts'
import { listUnderWay } from '#server/import/queue.ts'
import { countAllQueued } from '#server/library/completion-queue.ts'
import { readOutbox } from '#server/mail/outbox.ts'
import { knownSchema, schemaOf } from '#server/migrations/migrate.ts'
import { version } from '#server/runtime/version.ts'
import type { Config } from '#server/settings/config.ts'
import { queryNumber } from '#server/storage/query.ts'
import { countWaiting } from '#server/webhooks/runner.ts'
import type { AdminCheck, AdminJobs, AdminSite } from '#shared/admin.ts'

/** @returns the site's version, settings of note, backups and waiting mails */
export async function readSite(database: Database, config: Config): Promise<AdminSite> {
  const { backups, databaseUrl, signUps, smtpUrl } = config
  const [readers, schedule, outbox] = await Promise.all([
    queryNumber(database, sql`SELECT COUNT(*) FROM users`),
    backups && readSchedule(database, backups.folder),
    readOutbox(database),
  ])
  return {
    version,
    node: process.versions.node,
    schema: knownSchema,
    database: databaseUrl ? 'PostgreSQL' : 'SQLite',
    signUps,
    providers: config.providers.map(({ displayName }) => displayName),
    readers,
    backup: backups
      ? {
          made: moment(schedule?.made),
          attempted: moment(schedule?.attempted),
          result: schedule?.result ?? '',
          failure: schedule?.failure ?? '',
        }
      : null,
    mails: { ...outbox, hasServer: smtpUrl !== undefined },
  }
}

/** @param milliseconds since 1970; 0 for never @returns '' for never */
const moment = (milliseconds = 0) => (milliseconds ? new Date(milliseconds).toISOString() : '')

/** @returns the imports under way, and how much other work waits */
export async function readJobs(database: Database): Promise<AdminJobs> {
  const [imports, books, devices, webhooks, mails] = await Promise.all([
    listUnderWay(database),
    countAllQueued(database),
    countPending(database),
    countWaiting(database),
    readOutbox(database),
  ])
  return { imports, waiting: { books, devices, webhooks, mails: mails.waiting } }
}

/**
 * @returns a function that runs the checks of `npm run doctor` over the server's own database. Who
 *   calls it meanwhile gets the same answer, as a mail server can take a minute.
 */
export function siteChecks(database: Database, config: Config): () => Promise<AdminCheck[]> {
  let running: Promise<AdminCheck[]> | undefined
  return () =>
    (running ??= Array.fromAsync(runChecks(config, { open: () => lend(database) })).finally(
      () => (running = undefined),
    ))
}

/** Lends the server's own database to a check, which closes what it has opened. */
async function lend(database: Database): Promise<Database> {
  const schema = await schemaOf(database)
  if (schema !== knownSchema) throw new Error('the database is from another version')
  const close = async () => undefined
  return { ...database, close, [Symbol.asyncDispose]: close }
}
