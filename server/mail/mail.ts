import type { Logger } from 'pino'
import type { Database } from '#records/index.ts'
import type { Config } from '#server/settings/config.ts'
import { deleteStoredMails, fileTransport } from './file-transport.ts'
import type { Mail, Message } from './message.ts'
import { openOutbox } from './outbox.ts'
import { smtpTransport } from './smtp-transport.ts'

/**
 * Sends mails through SMTP if it is configured, otherwise writes them to files.
 *
 * @param database migrated; holds the outbox
 * @param delivered called after each mail that was handed over
 */
export function createMail(
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>,
  database: Database,
  log: Logger,
  delivered?: (message: Message) => Promise<void>,
): Mail {
  const transport = config.smtpUrl
    ? smtpTransport(config.smtpUrl, config.mailFrom)
    : fileTransport(config.dataDir, config.mailFrom, log)
  return openOutbox(database, transport, log, { delivered })
}

/** @returns a function that deletes the mail files to the address of a deleted account */
export function forgetMails(dataDir: string, log: Logger): (email: string) => void {
  return (email) =>
    void deleteStoredMails(dataDir, email).catch((error: unknown) =>
      log.error({ err: error }, 'the emails of a deleted account could not be deleted'),
    )
}
