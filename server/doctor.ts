import { accessSync, constants, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from './command.ts'
import { readConfig, type Config } from './config.ts'
import { requireKnownDatabase } from './data-folder.ts'
import { failureMessage } from './failure.ts'
import { renderMail } from './mail/layout.ts'
import { smtpTransport } from './mail/smtp-transport.ts'
import { knownSchema } from './migrations/migrate.ts'
import { openLibrary } from './open-library.ts'
import { checkMailServer, checkStorage } from './services.ts'
import { version } from './version.ts'

/** Bytes; with less free space than this an import or a backup soon fails. */
const littleRoom = 1_000_000_000

/** One check; it returns what is fine and throws what is wrong. */
type Check = [name: string, look: () => Promise<string> | string, advice: string]

function checks(config: Config, mailTo: string | undefined): Check[] {
  const { dataDir, databaseUrl, smtpUrl, mailFrom, s3 } = config
  return [
    [
      'Data folder',
      () => {
        accessSync(dataDir, constants.R_OK | constants.W_OK)
        requireKnownDatabase(config)
        return `${dataDir} is writable`
      },
      'set DATA_DIR to the folder of the library, which this account must own',
    ],
    [
      'Database',
      async () => {
        await (await openLibrary(config)).close()
        return `${databaseUrl ? 'PostgreSQL' : join(dataDir, 'octavo.db')} can be read, schema ${knownSchema}`
      },
      databaseUrl ? 'check DATABASE_URL and that its server is running' : 'see docs/operating.md',
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
    ],
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
    options: { mail: { type: 'string', value: 'address', about: 'sends a test email there' } },
    async run({ options: { mail } }) {
      const config = readConfig({ ...process.env })
      console.log(`ok     Octavo: version ${version}, Node ${process.versions.node}`)
      console.log('ok     Settings: all are valid')
      let isWell = true
      for (const [name, look, advice] of checks(config, mail?.toString()))
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
