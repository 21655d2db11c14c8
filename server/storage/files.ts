import { join } from 'node:path'
import { diskStorage, s3Storage, type FileStorage } from '#records/index.ts'
import type { Config } from '../settings/config.ts'
import { requireKnownPictures } from './data-folder.ts'

/**
 * The storage of uploads: a bucket if one is configured, otherwise the data folder.
 *
 * @throws StartError if the settings of the bucket that has the pictures are missing
 */
export function openStorage({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): FileStorage {
  requireKnownPictures({ s3, dataDir })
  return s3 ? s3Storage(s3) : diskStorage(join(dataDir, 'files'))
}
