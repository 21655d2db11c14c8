import type { Message } from '#server/mail/message.ts'
import { layOut } from '#server/mail/layout.ts'

/** The mail with the link to set a new password. */
export function passwordResetMail(to: string, url: string, expires: Date): Message {
  return layOut({
    to,
    expires,
    subject: 'Set a new password for Octavo',
    lead: 'You asked for a link to set a new password.',
    action: { label: 'Set a new password', url },
    rest: [
      'The link works once and expires after 30 minutes. Setting a new password signs you out on every device.',
      'If this wasn’t you, ignore this email. Your password won’t change.',
    ],
  })
}
