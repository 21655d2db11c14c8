import { randomUUID } from 'node:crypto'
import { accessSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { allBytes } from '#records/index.ts'
import type { Config } from '#server/settings/config.ts'
import { openStorage } from '#server/storage/files.ts'
import { smtpTransport } from '#server/mail/smtp-transport.ts'

/** @throws the mail server's own error if it cannot be reached or refuses our account */
export async function checkMailServer(smtpUrl: string, mailFrom: string): Promise<void> {
  const transport = smtpTransport(smtpUrl, mailFrom)
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

/** Writes, reads and deletes a file in the storage of uploads. @throws if any of it fails */
export async function checkStorage(config: Pick<Config, 's3' | 'dataDir'>): Promise<void> {
  const storage = openStorage(config)
  // Don't create the folder: it would belong to the account that runs the check, such as root.
  if (!config.s3) {
    const folder = join(config.dataDir, 'files')
    accessSync(existsSync(folder) ? folder : config.dataDir, constants.W_OK)
    if (!existsSync(folder)) return
  }
  const key = `octavo-check/${randomUUID()}/file`
  const written = new TextEncoder().encode(key)
  await storage.put(key, written)
  const content = await storage.read(key)
  await storage.delete(key)
  if (!content || Buffer.compare(await allBytes(content), written) !== 0)
    throw new Error('the test file could not be read back')
}

/**
 * Logs a warning if the mail server or the bucket doesn't answer. The start doesn't wait for this.
 */
export function warnIfUnreachable(config: Config, log: Logger): void {
  const { smtpUrl, mailFrom, s3 } = config
  const warn = (what: string) => (error: unknown) =>
    log.warn({ err: error }, `${what}; npm run doctor has details`)
  if (smtpUrl)
    checkMailServer(smtpUrl, mailFrom).catch(
      warn('The mail server of SMTP_URL cannot be used, mails wait for it'),
    )
  if (s3)
    readable(config).catch(warn('The bucket of S3_BUCKET cannot be used, uploads are refused'))
}

/** Only reads: a start shouldn't write to a bucket that may only be on trial. */
async function readable(config: Config): Promise<void> {
  for await (const _ of openStorage(config).list('octavo-check/')) return
}
