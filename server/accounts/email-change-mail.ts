import type { Message } from '#server/mail/message.ts'
import { layOut } from '#server/mail/layout.ts'

/** The mail to a new address, with the link that makes it the account's. */
export function emailChangeMail(to: string, url: string, expires: Date): Message {
  return layOut({
    to,
    expires,
    subject: 'Confirm your new address for Octavo',
    lead: 'An account at Octavo wants to use this address.',
    action: { label: 'Use this address', url },
    rest: [
      'The link works once, for half an hour, and asks for the password of the account.',
      'If you did not ask for it, ignore this mail. Nothing changes then.',
    ],
  })
}

/** The notice to the address that was replaced. */
export function emailChangedMail(to: string, newEmail: string, expires: Date): Message {
  return layOut({
    to,
    expires,
    subject: 'Your address at Octavo was changed',
    lead: `Your account now uses ${newEmail}.`,
    rest: [
      'Mails about the account go there from now on, and every device was signed out. If it was not you, answer to whoever runs this library right away.',
    ],
  })
}
