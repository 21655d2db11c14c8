import type { Message } from '#server/mail/message.ts'
import { otp } from '#shared/account.ts'
import type { Language } from '#shared/language.ts'
import { renderMail } from '#server/mail/layout.ts'
import { mailMessage } from '#server/mail/translations.ts'

/**
 * The mail with the sign-in code.
 *
 * @param sent when the code was created: the mail expires once its delivery has taken too long
 */
export function otpMail(to: string, code: string, sent: Date, language: Language = 'en'): Message {
  return renderMail({
    to,
    code,
    language,
    subject: mailMessage(language, 'code.subject', { code }),
    title: mailMessage(language, 'code.title'),
    expires: new Date(sent.getTime() + otp.delivery * 1000),
    lead: mailMessage(language, 'code.lead'),
    rest: [mailMessage(language, 'code.rest', { minutes: otp.life / 60 })],
  })
}
