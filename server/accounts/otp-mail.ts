import type { Message } from '#server/mail/message.ts'
import { otp } from '#shared/account.ts'
import { layOut } from '#server/mail/layout.ts'

/**
 * The mail with the code of the second step.
 *
 * @param sent when the code was made: the mail is of no use once the code has expired
 */
export function otpMail(to: string, code: string, sent: Date): Message {
  const minutes = otp.life / 60
  return layOut({
    to,
    code,
    subject: `Your Octavo code is ${code}`,
    expires: new Date(sent.getTime() + otp.life * 1000),
    lead: 'Your code:',
    rest: [
      `It expires in ${minutes} minutes and works once. If you didn’t try to sign in, ignore this email. Nobody can get in without the code.`,
    ],
  })
}
