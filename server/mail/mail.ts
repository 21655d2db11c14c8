import type { Logger } from 'pino'
import type { Database } from '#records/index.ts'
import type { Config } from '#server/config.ts'
import { fileTransport } from './file-transport.ts'
import type { Mail } from './message.ts'
import { openOutbox } from './outbox.ts'
import { smtpTransport } from './smtp-transport.ts'

/**
 * Sends mails through SMTP if it is configured, otherwise writes them to files.
 *
 * @param database migrated; holds the outbox
 */
export function createMail(
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>,
  database: Database,
  log: Logger,
): Mail {
  const transport = config.smtpUrl
    ? smtpTransport(config.smtpUrl, config.mailFrom)
    : fileTransport(config.dataDir, config.mailFrom, log)
  return openOutbox(database, transport, log)
}
