import type { Logger } from 'pino'
import type { Database } from '#records/index.ts'
import type { Config } from '#server/config.ts'
import { filePost } from './file-post.ts'
import type { Mail } from './message.ts'
import { openOutbox } from './outbox.ts'
import { smtpPost } from './smtp-post.ts'

/**
 * Mails leave through SMTP when it is configured, and else become files on this machine.
 *
 * @param database migrated: what is on its way is kept in its outbox
 */
export function createMail(
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>,
  database: Database,
  log: Logger,
): Mail {
  const post = config.smtpUrl
    ? smtpPost(config.smtpUrl, config.mailFrom)
    : filePost(config.dataDir, config.mailFrom, log)
  return openOutbox(database, post, log)
}
