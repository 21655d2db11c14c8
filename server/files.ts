import { join } from 'node:path'
import type { Logger } from 'pino'
import { diskStorage, s3Storage, type FileStorage, type Records } from '#records/index.ts'
import type { Config } from './config.ts'

/** Often enough that nothing left over lies about for a day. Milliseconds. */
const sweepEvery = 6 * 3_600_000

/** Where uploads are kept: in a bucket if one is configured, else in the data folder. */
export function openStorage({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): FileStorage {
  return s3 ? s3Storage(s3) : diskStorage(join(dataDir, 'files'))
}

/** Clears away now and then what crashes left of uploads. @returns what stops it */
export function sweepRegularly(records: Pick<Records, 'sweepFiles'>, log: Logger): () => void {
  const sweep = () => {
    records.sweepFiles().then(
      (removed) => removed && log.info({ removed }, 'files without a record were removed'),
      (error: unknown) => log.error({ err: error }, 'files could not be swept'),
    )
  }
  const timer = setInterval(sweep, sweepEvery).unref()
  return () => clearInterval(timer)
}
