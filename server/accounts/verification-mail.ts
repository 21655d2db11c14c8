import type { Message } from '#server/mail/message.ts'
import { layOut } from '#server/mail/layout.ts'

/** The mail with the link that proves an address. */
export function verificationMail(to: string, url: string, expires: Date): Message {
  return layOut({
    to,
    expires,
    subject: 'Confirm your address for Octavo',
    lead: 'Please confirm that this address is yours.',
    action: { label: 'Confirm address', url },
    rest: [
      'The link works once, for half an hour. If you have no account at Octavo, ignore this mail.',
    ],
  })
}
