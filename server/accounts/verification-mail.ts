import type { Message } from '#server/mail/message.ts'
import { layOut } from '#server/mail/layout.ts'

/** The mail with the link that proves an address. */
export function verificationMail(to: string, url: string, expires: Date): Message {
  return layOut({
    to,
    expires,
    subject: 'Confirm your email for Octavo',
    lead: 'Confirm that this email is yours.',
    action: { label: 'Confirm email', url },
    rest: [
      'The link works once and expires after 30 minutes. If you don’t have an Octavo account, ignore this email.',
    ],
  })
}
