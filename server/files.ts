import { join } from 'node:path'
import type { Logger } from 'pino'
import { diskStorage, s3Storage, type FileStorage, type Records } from '#records/index.ts'
import type { Config } from './config.ts'
import { sweepStoredMails } from './mail/file-transport.ts'

/** Often enough that nothing left over lies about for a day. Milliseconds. */
const sweepEvery = 6 * 3_600_000

/** Where uploads are kept: in a bucket if one is configured, else in the data folder. */
export function openStorage({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): FileStorage {
  return s3 ? s3Storage(s3) : diskStorage(join(dataDir, 'files'))
}

/**
 * Clears away what crashes left of uploads, what was removed too long ago, and old mails that became
 * files: at the start, which may well follow a crash, and now and then. @returns what stops it
 */
export function scheduleSweeps(
  records: Pick<Records, 'sweepFiles' | 'sweepTrash'>,
  dataDir: string,
  log: Logger,
): () => void {
  let isOver = false
  const sweep = () => {
    records.sweepFiles().then(
      (removed) => removed && log.info({ removed }, 'removed files that no record names'),
      // In the middle of a stop the database may be gone, which is nothing to tell.
      (error: unknown) => isOver || log.error({ err: error }, 'unused files could not be removed'),
    )
    records.sweepTrash().then(
      (ended) => ended && log.info({ ended }, 'deleted expired items from the trash'),
      (error: unknown) => isOver || log.error({ err: error }, 'the trash could not be cleaned up'),
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
