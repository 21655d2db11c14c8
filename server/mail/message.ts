/** A mail to one reader. */
export interface Message {
  to: string
  subject: string
  text: string
  html: string
  /** The code in the mail, for the log and the local mailbox; '' for none. */
  code: string
  /** When the mail becomes useless. */
  expires: Date
}

/** Delivers mails; `deliver` throws if it fails. */
export interface MailTransport {
  deliver(message: Message): Promise<void>
  close(): void
}

export interface Mail {
  /** Queues the mail; resolves once it is stored durably. */
  send(message: Message): Promise<void>
  /** Stops; queued mails wait for the next start. */
  close(): Promise<void>
}
