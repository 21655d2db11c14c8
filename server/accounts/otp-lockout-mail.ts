import type { Message } from '#server/mail/message.ts'
import { layOut, statedTime } from '#server/mail/layout.ts'

/** The notice that somebody with the password guessed at codes, and that none is taken for a while. */
export function otpLockoutMail(to: string, until: Date, url: string, expires: Date): Message {
  return layOut({
    to,
    expires,
    subject: 'Too many wrong codes for your Octavo account',
    lead: `Someone entered your password, then too many wrong codes. Until ${statedTime(until)} we won’t accept any code for your account, not even the right one.`,
    action: { label: 'Set a new password', url },
    rest: [
      'Devices that are signed in stay signed in. If this wasn’t you, set a new password: whoever tried knows your current one.',
    ],
  })
}
