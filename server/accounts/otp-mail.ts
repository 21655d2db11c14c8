import type { Message } from '#server/mail/message.ts'
import { otp } from '#shared/account.ts'
import type { Language } from '#shared/language.ts'
import { layOut } from '#server/mail/layout.ts'
import { word } from '#server/mail/words.ts'

/**
 * The mail with the code of the second step.
 *
 * @param sent when the code was made: the mail is of no use once the code has expired
 */
export function otpMail(to: string, code: string, sent: Date, language: Language = 'en'): Message {
  return layOut({
    to,
    code,
    language,
    subject: word(language, 'code.subject', { code }),
    title: word(language, 'code.title'),
    expires: new Date(sent.getTime() + otp.life * 1000),
    lead: word(language, 'code.lead'),
    rest: [word(language, 'code.rest', { minutes: otp.life / 60 })],
  })
}
