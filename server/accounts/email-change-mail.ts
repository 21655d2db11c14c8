import type { Message } from '#server/mail/message.ts'
import { layOut } from '#server/mail/layout.ts'

/** The mail to a new address, with the link that makes it the account's. */
export function emailChangeMail(to: string, url: string, expires: Date): Message {
  return layOut({
    to,
    expires,
    subject: 'Confirm your new email for Octavo',
    lead: 'Someone asked to use this email for an Octavo account.',
    action: { label: 'Use this email', url },
    rest: [
      'The link works once and expires after 30 minutes. You’ll need the password of the account.',
      'If this wasn’t you, ignore this email and nothing will change.',
    ],
  })
}

/** The notice to the address that was replaced. */
export function emailChangedMail(to: string, newEmail: string, expires: Date): Message {
  return layOut({
    to,
    expires,
    subject: 'Your Octavo email was changed',
    lead: `Your account now uses ${newEmail}.`,
    rest: [
      'From now on, emails about your account go there. We’ve signed you out on every device. If this wasn’t you, tell the administrator of this site right away.',
    ],
  })
}
