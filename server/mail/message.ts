/** What goes to one reader by mail. */
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

/** Delivers mails. `deliver` throws when it cannot. */
export interface MailTransport {
  deliver(message: Message): Promise<void>
  close(): void
}

export interface Mail {
  /** Keeps the mail and sets it on its way; resolves once it can no longer be lost. */
  send(message: Message): Promise<void>
  /** Leaves the rest for the next start. */
  close(): Promise<void>
}
