import type { Logger } from 'pino'
import type { Database } from '#records/index.ts'
import type { Config } from '#server/config.ts'
import { filePost } from './file-post.ts'
import { openOutbox } from './outbox.ts'
import { smtpPost } from './smtp-post.ts'

export interface Message {
  to: string
  subject: string
  text: string
  html: string
  /** A code the mail carries, for the log and the local mailbox; '' for none. */
  code: string
  /** From then on the mail is of no use to anybody. */
  expires: Date
}

/** Carries one mail to where it can be read. Throws when it could not. */
export interface Post {
  deliver(message: Message): Promise<void>
  close(): void
}

export interface Mail {
  /** Keeps the mail and sets it on its way; resolves once it can no longer be lost. */
  send(message: Message): Promise<void>
  /** Leaves the rest for the next start. */
  close(): Promise<void>
}

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
