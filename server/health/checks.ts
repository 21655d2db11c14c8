import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { compareFiles, openPostgres, type Database } from '#records/index.ts'
import { describeBackups } from '#server/backup/last-backup.ts'
import { readSchedule } from '#server/backup/schedule-state.ts'
import type { Config } from '#server/settings/config.ts'
import { requireKnownDatabase } from '#server/storage/data-folder.ts'
import { failureMessage } from '#server/runtime/failure.ts'
import { openStorage } from '#server/storage/files.ts'
import { knownSchema } from '#server/migrations/migrate.ts'
import { checkMailServer, checkStorage } from './services.ts'
import { sendTestMail } from './test-mail.ts'

/** Bytes; with less free space than this an import or a backup soon fails. */
const littleRoom = 1_000_000_000

/** What a check found. */
export interface Finding {
  name: string
  isWell: boolean
  /** What is fine or wrong, in one line. */
  message: string
  /** What the operator can do if it is wrong; '' otherwise. */
  advice: string
}

interface CheckOptions {
  /** Opens the library for a check, which closes it. @throws if it can't be used */
  open: () => Promise<Database>
  /** Where a test email goes; without it only the mail server is asked. */
  mailTo?: string | undefined
  /** Whether the stored pictures are compared with the database. */
  isDeep?: boolean
}

/**
 * Checks data folder, database, disk, mail, the storage of pictures and backups.
 *
 * @returns what each check found, one after another
 */
export async function* runChecks(config: Config, options: CheckOptions): AsyncGenerator<Finding> {
  for (const [name, look, advice] of checks(config, options))
    try {
      yield { name, isWell: true, message: await look(), advice: '' }
    } catch (error) {
      yield { name, isWell: false, message: failureMessage(error, [config.dataDir]), advice }
    }
}

/** One check; it returns what is fine and throws what is wrong. Skipped without what it `needs`. */
type Check = [
  name: string,
  look: () => Promise<string> | string,
  advice: string,
  needs?: 'folder' | 'library' | undefined,
]

/** What the operator does before the first start, or if the settings name another place. */
const startHere =
  'npm start creates the library; if there is one elsewhere, set DATA_DIR or DATABASE_URL'

/** @returns what a first start has made; a library in PostgreSQL is looked for by its own check */
function findStarted({ dataDir, databaseUrl }: Config): Record<'folder' | 'library', boolean> {
  const hasFolder = existsSync(dataDir)
  return {
    folder: hasFolder,
    library: databaseUrl ? hasFolder : existsSync(join(dataDir, 'octavo.db')),
  }
}

function checks(config: Config, { open, mailTo, isDeep }: CheckOptions): Check[] {
  const { dataDir, databaseUrl, pooledUrl, smtpUrl, mailFrom, s3 } = config
  const started = findStarted(config)
  const isNew = !databaseUrl && !started.library
  const notStarted = (missing: string) =>
    new Error(`Octavo hasn't been started here yet: there is no ${missing}`)
  const all: Check[] = [
    [
      'Data folder',
      () => {
        if (!started.folder) throw notStarted(`folder ${dataDir}`)
        accessSync(dataDir, constants.R_OK | constants.W_OK)
        requireKnownDatabase(config)
        return `${dataDir} is writable`
      },
      started.folder
        ? 'set DATA_DIR to the folder of the library, which this account must own'
        : startHere,
    ],
    [
      'Database',
      async () => {
        requireKnownDatabase(config)
        if (isNew) throw notStarted(`database at ${join(dataDir, 'octavo.db')}`)
        await (await open()).close()
        if (databaseUrl && pooledUrl) await (await openPostgres(databaseUrl, { pooledUrl })).close()
        const place = databaseUrl ? 'PostgreSQL' : join(dataDir, 'octavo.db')
        return `${place} can be read${pooledUrl ? ', also through the pooler' : ''}, schema ${knownSchema}`
      },
      isNew
        ? startHere
        : databaseUrl
          ? 'check DATABASE_URL and that its server is running'
          : 'see docs/operating.md',
      databaseUrl ? undefined : 'folder',
    ],
    [
      'Disk',
      () => {
        const { bavail, bsize } = statfsSync(dataDir)
        const room = `${((bavail * bsize) / 1e9).toFixed(1)} GB free`
        if (bavail * bsize < littleRoom) throw new Error(room)
        return room
      },
      `make room on the disk of ${dataDir}`,
      'folder',
    ],
    [
      'Mail',
      async () => {
        if (!smtpUrl && mailTo) throw new Error('no test email was sent, as SMTP_URL is not set')
        if (!smtpUrl)
          return `SMTP_URL is not set, so emails are saved as files in ${join(dataDir, 'mail')}`
        if (!mailTo) {
          await checkMailServer(smtpUrl, mailFrom)
          return 'the mail server accepts the account in SMTP_URL; --mail you@example.org sends a test email'
        }
        await sendTestMail(smtpUrl, mailFrom, mailTo)
        return `a test email is on its way to ${mailTo}`
      },
      'check SMTP_URL and MAIL_FROM, and that this machine can reach the mail server',
    ],
    [
      'Pictures',
      async () => {
        await checkStorage(config)
        return `files in ${s3 ? `the bucket ${s3.bucket}` : join(dataDir, 'files')} can be written, read and deleted`
      },
      s3
        ? 'check the S3 settings and what their key may do'
        : 'make this account the owner of the folder',
      s3 ? undefined : 'folder',
    ],
    [
      'Backups',
      async () => {
        const { backups } = config
        if (!backups) return 'none are scheduled, as BACKUP_TO is not set'
        await using database = await open()
        return describeBackups(await readSchedule(database, backups.folder), backups, Date.now())
      },
      `see "Back up" in docs/operating.md; the server's log has each failure`,
      'library',
    ],
    ...(isDeep ? [picturesCheck(config, open)] : []),
  ]
  return all.filter(([, , , needs]) => !needs || started[needs])
}

/** Files named in one line. */
const maxNamed = 10

function listed(keys: readonly string[]): string {
  const rest = keys.length - maxNamed
  return `${keys.length} (${keys.slice(0, maxNamed).join(', ')}${rest > 0 ? ` and ${rest} more` : ''})`
}

/** Compares pictures with the database. */
function picturesCheck(config: Config, open: CheckOptions['open']): Check {
  return [
    'Stored pictures',
    async () => {
      await using database = await open()
      const found = await compareFiles(database, openStorage(config))
      const { missing, resized } = found
      const unnamed = found.unnamed.length
        ? `; no record names these files: ${listed(found.unnamed)}`
        : ''
      if (!missing.length && !resized.length)
        return `all ${found.named} that the database names are there${unnamed}`
      const lost = missing.length ? `missing: ${listed(missing)}; ` : ''
      const short = resized.length ? `of another size: ${listed(resized)}; ` : ''
      throw new Error(`${lost}${short}the database names ${found.named} pictures${unnamed}`)
    },
    `copy them from files in a backup to ${config.s3 ? 'the bucket' : join(config.dataDir, 'files')}, or have their readers replace them`,
    'library',
  ]
}
