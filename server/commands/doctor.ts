import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { compareFiles, openPostgres } from '#records/index.ts'
import { describeBackups } from '../backup/last-backup.ts'
import { readSchedule } from '../backup/schedule-state.ts'
import { runCommand } from './command.ts'
import { readConfig, type Config } from '../settings/config.ts'
import { requireKnownDatabase } from '../storage/data-folder.ts'
import { failureMessage } from '../runtime/failure.ts'
import { openStorage } from '../storage/files.ts'
import { renderMail } from '../mail/layout.ts'
import { smtpTransport } from '../mail/smtp-transport.ts'
import { knownSchema } from '../migrations/migrate.ts'
import { openLibrary } from '#server/open/open-library.ts'
import { checkMailServer, checkStorage } from '#server/startup/services.ts'
import { version } from '../runtime/version.ts'

/** Bytes; with less free space than this an import or a backup soon fails. */
const littleRoom = 1_000_000_000

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

function checks(config: Config, mailTo: string | undefined, isDeep: boolean): Check[] {
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
        await (await openLibrary(config)).close()
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
        await using database = await openLibrary(config)
        return describeBackups(await readSchedule(database, backups.folder), backups, Date.now())
      },
      `see "Back up" in docs/operating.md; the server's log has each failure`,
      'library',
    ],
    ...(isDeep ? [picturesCheck(config)] : []),
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
function picturesCheck(config: Config): Check {
  return [
    'Stored pictures',
    async () => {
      await using database = await openLibrary(config)
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

async function sendTestMail(smtpUrl: string, mailFrom: string, to: string): Promise<void> {
  const post = smtpTransport(smtpUrl, mailFrom)
  try {
    await post.deliver(
      renderMail({
        to,
        subject: 'A test email from Octavo',
        expires: new Date(),
        lead: 'Octavo can send email.',
        rest: ['The administrator of this site sent this email to test the mail server.'],
      }),
    )
  } finally {
    post.close()
  }
}

await runCommand(
  'npm run doctor --',
  {
    about: 'Checks settings, data folder, database, disk, mail and the storage of pictures.',
    options: {
      deep: { type: 'boolean', about: 'compares the stored pictures with the database' },
      mail: { type: 'string', value: 'address', about: 'sends a test email there' },
    },
    async run({ options: { deep, mail } }) {
      const config = readConfig({ ...process.env })
      console.log(`ok     Octavo: version ${version}, Node ${process.versions.node}`)
      console.log('ok     Settings: all are valid')
      let isWell = true
      for (const [name, look, advice] of checks(config, mail?.toString(), deep === true))
        try {
          console.log(`ok     ${name}: ${await look()}`)
        } catch (error) {
          isWell = false
          console.log(
            `WRONG  ${name}: ${failureMessage(error, [config.dataDir])}. To do: ${advice}`,
          )
        }
      return isWell ? 0 : 1
    },
  },
  process.argv.slice(2),
)
