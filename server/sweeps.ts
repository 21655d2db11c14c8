import type { Logger } from 'pino'
import { removeAbandoned } from '#records/index.ts'
import type { LibraryRecords } from '#server/collections/stored.ts'
import { importFolder } from '#server/import/parse.ts'
import { sweepStoredMails } from '#server/mail/file-transport.ts'
import { joinRunners, runEvery, type JobRunner } from '#server/runtime/jobs.ts'

/** Milliseconds; leftovers never stay for a day. */
const sweepEvery = 6 * 3_600_000

/**
 * Deletes leftovers of interrupted uploads, expired trash and old mail files: at the start, which
 * may follow a crash, and every few hours.
 */
export function runSweeps(
  records: Pick<LibraryRecords, 'sweepFiles' | 'sweepTrash'>,
  dataDir: string,
  log: Logger,
): JobRunner {
  const sweep = (work: () => Promise<unknown>, failure: string) =>
    runEvery(sweepEvery, work, (error) => log.error({ err: error }, failure))
  return joinRunners([
    sweep(async () => {
      const removed = await records.sweepFiles()
      if (removed) log.info({ removed }, 'removed files that no record names')
    }, 'unused files could not be removed'),
    sweep(async () => {
      const ended = await records.sweepTrash()
      if (ended) log.info({ ended }, 'deleted expired items from the trash')
    }, 'the trash could not be cleaned up'),
    sweep(() => removeAbandoned(importFolder(dataDir)), 'unfinished uploads could not be removed'),
    sweep(async () => {
      const removed = await sweepStoredMails(dataDir)
      if (removed) log.info({ removed }, 'removed old emails')
    }, 'old emails could not be removed'),
  ])
}
