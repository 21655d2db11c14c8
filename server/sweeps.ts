import type { Logger } from 'pino'
import { removeAbandoned } from '#records/index.ts'
import type { LibraryRecords } from '#server/collections/stored.ts'
import { importFolder } from '#server/import/parse.ts'
import { sweepStoredMails } from '#server/mail/file-transport.ts'

/** Milliseconds; leftovers never stay for a day. */
const sweepEvery = 6 * 3_600_000

/**
 * Deletes leftovers of interrupted uploads, expired trash and old mail files: at the start, which
 * may follow a crash, and every few hours. @returns a function that stops it
 */
export function scheduleSweeps(
  records: Pick<LibraryRecords, 'sweepFiles' | 'sweepTrash'>,
  dataDir: string,
  log: Logger,
): () => void {
  let isOver = false
  const sweep = () => {
    records.sweepFiles().then(
      (removed) => removed && log.info({ removed }, 'removed files that no record names'),
      // While the server stops, the database may already be closed.
      (error: unknown) => isOver || log.error({ err: error }, 'unused files could not be removed'),
    )
    records.sweepTrash().then(
      (ended) => ended && log.info({ ended }, 'deleted expired items from the trash'),
      (error: unknown) => isOver || log.error({ err: error }, 'the trash could not be cleaned up'),
    )
    removeAbandoned(importFolder(dataDir)).catch((error: unknown) =>
      log.error({ err: error }, 'unfinished uploads could not be removed'),
    )
    sweepStoredMails(dataDir).then(
      (removed) => removed && log.info({ removed }, 'removed old emails'),
      (error: unknown) => log.error({ err: error }, 'old emails could not be removed'),
    )
  }
  sweep()
  const timer = setInterval(sweep, sweepEvery).unref()
  return () => {
    isOver = true
    clearInterval(timer)
  }
}
