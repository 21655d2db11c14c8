import { sql } from 'kysely'
import type { Connection, Database, Transaction } from '#records/index.ts'
import { modify } from '#server/storage/query.ts'
import { StartError } from '../storage/data-folder.ts'
import { first } from './0001-first.ts'
import { accounts } from './0002-accounts.ts'
import { realtime } from './0003-realtime.ts'
import { files } from './0004-files.ts'
import { limits } from './0005-limits.ts'
import { newestBooks } from './0006-newest-books.ts'
import { formerUsernames } from './0007-former-usernames.ts'
import { devices } from './0008-devices.ts'
import { removed } from './0009-removed.ts'
import { library } from './0010-library.ts'
import { stores } from './0011-stores.ts'
import { taste } from './0012-taste.ts'
import { billing } from './0013-billing.ts'
import { moderation } from './0014-moderation.ts'
import { accent } from './0015-accent.ts'
import { newerEntries } from './0016-newer-entries.ts'
import { directory } from './0017-directory.ts'
import { rotation } from './0018-rotation.ts'
import { invitations } from './0019-invitations.ts'
import { readingLife } from './0020-reading-life.ts'
import { imports } from './0021-imports.ts'
import { ownOrder } from './0022-own-order.ts'
import { ratingScale } from './0023-rating-scale.ts'
import { language } from './0024-language.ts'
import { bookTotals } from './0025-book-totals.ts'
import { readingNow } from './0026-reading-now.ts'
import { isAdmin } from './0027-is-admin.ts'
import { derivedTexts } from './0028-derived-texts.ts'
import { sortKeys } from './0029-sort-keys.ts'
import { shelfKind } from './0030-shelf-kind.ts'
import { backupSchedules } from './0031-backup-schedules.ts'
import { visibleEntries } from './0032-visible-entries.ts'
import { tagKeys } from './0033-tag-keys.ts'
import { importWork } from './0034-import-work.ts'
import { importMessages } from './0035-import-messages.ts'
import { importWarnings } from './0036-import-warnings.ts'
import { tagSigns } from './0037-tag-signs.ts'
import { tagSpellings } from './0038-tag-spellings.ts'
import { foldedMarks } from './0039-folded-marks.ts'
import { connections } from './0040-connections.ts'
import { workReaders } from './0041-work-readers.ts'
import { readingFacts } from './0042-reading-facts.ts'
import { deviceFiles } from './0043-device-files.ts'
import { goalDays } from './0044-goal-days.ts'
import { importLabels } from './0045-import-labels.ts'
import { completedBooks } from './0046-completed-books.ts'
import { tagKeyTotals } from './0047-tag-key-totals.ts'
import { formerEditions } from './0048-former-editions.ts'
import { firstFinish } from './0049-first-finish.ts'
import { tatweel } from './0050-tatweel.ts'
import { deviceQuotes } from './0051-device-quotes.ts'
import { readingHours } from './0052-reading-hours.ts'
import { otherLetters } from './0053-other-letters.ts'
import { apiTokens } from './0054-api-tokens.ts'
import { webhooks } from './0055-webhooks.ts'
import { privateFeeds } from './0056-private-feeds.ts'
import { providerSessions } from './0057-provider-sessions.ts'
import { passkeys } from './0058-passkeys.ts'
import { confirmedSessions } from './0059-confirmed-sessions.ts'
import { adminLog } from './0060-admin-log.ts'
import { listening } from './0061-listening.ts'
import { polledConnections } from './0062-polled-connections.ts'
import { deviceTurns } from './0063-device-turns.ts'
import { finishedDays } from './0064-finished-days.ts'
import { readingEditions } from './0065-reading-editions.ts'
import { ownDays } from './0066-own-days.ts'
import { statisticsIndexes } from './0067-statistics-indexes.ts'
import type { Migration } from './migration.ts'

/** In order; a step's number is its position, counted from one. */
export const migrations: readonly Migration[] = [
  first,
  accounts,
  realtime,
  files,
  limits,
  newestBooks,
  formerUsernames,
  devices,
  removed,
  library,
  stores,
  taste,
  billing,
  moderation,
  accent,
  newerEntries,
  directory,
  rotation,
  invitations,
  readingLife,
  imports,
  ownOrder,
  ratingScale,
  language,
  bookTotals,
  readingNow,
  isAdmin,
  derivedTexts,
  sortKeys,
  shelfKind,
  backupSchedules,
  visibleEntries,
  tagKeys,
  importWork,
  importMessages,
  importWarnings,
  tagSigns,
  tagSpellings,
  foldedMarks,
  connections,
  workReaders,
  readingFacts,
  deviceFiles,
  goalDays,
  importLabels,
  completedBooks,
  tagKeyTotals,
  formerEditions,
  firstFinish,
  tatweel,
  deviceQuotes,
  readingHours,
  otherLetters,
  apiTokens,
  webhooks,
  privateFeeds,
  providerSessions,
  passkeys,
  confirmedSessions,
  adminLog,
  listening,
  polledConnections,
  deviceTurns,
  finishedDays,
  readingEditions,
  ownDays,
  statisticsIndexes,
]

/** The schema of this code: the number of its last step. */
export const knownSchema = migrations.length

/** @returns the schema of a database: the number of the last step that was applied to it */
export async function schemaOf(database: Connection): Promise<number> {
  const [row] = await database.query('SELECT COALESCE(MAX(number), 0) FROM _migrations')
  return Number(row?.[0])
}

type Progress = (step: string, done: number, total: number) => void

/** An arbitrary number that no other advisory lock uses. */
const lock = 20_250_512

/**
 * Brings the database to the code's schema, each step in a transaction of its own, so that a crash
 * leaves whole steps. Processes that start together wait for each other.
 *
 * @param progress called before each statement of a step, with the step and how many of its
 *   statements are done, and while a step fills rows, with how many of these are done
 * @throws if the database is newer than the code
 */
export async function migrate(
  database: Database,
  steps = migrations,
  progress: Progress = () => undefined,
): Promise<void> {
  for (;;) {
    const done = await database.transaction((tx) => applyNext(tx, steps, progress))
    if (done) return
  }
}

/** @returns whether there was nothing left to do */
async function applyNext(
  tx: Transaction,
  steps: readonly Migration[],
  progress: Progress,
): Promise<boolean> {
  if (tx.dialect.name === 'postgres') {
    // Wait for another process's step, or a backup, as long as it takes.
    await tx.query('SET LOCAL lock_timeout = 0')
    await tx.query(`SELECT pg_advisory_xact_lock(${lock})`)
  }
  await tx.query(
    `CREATE TABLE IF NOT EXISTS _migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied TEXT NOT NULL)`,
  )
  const [row] = await tx.query('SELECT COALESCE(MAX(number), 0) FROM _migrations')
  const version = Number(row?.[0])
  if (version > steps.length)
    throw new StartError(
      `the database was used by a newer Octavo (its schema is ${version}, this version knows ${steps.length}); start that version, or restore a backup`,
    )
  const step = steps[version]
  if (!step) return true
  const statements = step.statements(tx.dialect.name)
  const name = `${step.name}, ${version + 1} of ${steps.length}`
  for (const [done, statement] of statements.entries()) {
    progress(name, done, statements.length)
    await tx.query(statement)
  }
  await step.fill?.(tx, (done, total) => progress(name, done, total))
  await modify(
    tx,
    '_migrations',
    sql`INSERT INTO _migrations (number, name, applied)
      VALUES (${version + 1}, ${step.name}, ${new Date().toISOString()})`,
  )
  return false
}
