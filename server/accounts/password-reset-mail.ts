import type { Message } from '#server/mail/message.ts'
import { layOut } from '#server/mail/layout.ts'

/** The mail with the link to set a new password. */
export function passwordResetMail(to: string, url: string, expires: Date): Message {
  return layOut({
    to,
    expires,
    subject: 'Set a new password for Octavo',
    lead: 'You can set a new password now.',
    action: { label: 'Set a new password', url },
    rest: [
      'The link works once, for half an hour. A new password signs you out on every device.',
      'If you did not ask for it, ignore this mail. Your password stays as it is.',
    ],
  })
}
