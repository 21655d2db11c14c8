import type { Message } from '#server/mail/message.ts'
import { layOut } from '#server/mail/layout.ts'

/** The notice that somebody with the password guessed at codes, and that none is taken for a while. */
export function codesPausedMail(to: string, until: Date, url: string, expires: Date): Message {
  const when = `${until.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return layOut({
    to,
    expires,
    subject: 'Too many wrong codes for your Octavo account',
    lead: `Somebody typed your password and then many wrong codes. Until ${when} no code is accepted for your account, not even a right one.`,
    action: { label: 'Set a new password', url },
    rest: [
      'Where you are signed in you stay signed in. If it was not you, set a new password: whoever tried knows the one you have.',
    ],
  })
}
