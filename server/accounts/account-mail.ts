import type { AuthMail } from '#records/index.ts'
import type { Message } from '#server/mail/message.ts'
import { otpLockoutMail } from './otp-lockout-mail.ts'
import { emailChangedMail, emailChangeMail } from './email-change-mail.ts'
import { linkedMail } from './linked-mail.ts'
import { newDeviceMail } from './new-device-mail.ts'
import { passwordResetMail } from './password-reset-mail.ts'
import { sessionReusedMail } from './session-reused-mail.ts'
import { verificationMail } from './verification-mail.ts'

/**
 * The words for a mail about an account.
 *
 * @param appUrl the site's address, which links lead to
 * @param now when the mail is sent: a notice is of no use after a day
 */
export function accountMail(mail: AuthMail, appUrl: string, now: Date): Message {
  const tomorrow = new Date(now.getTime() + 24 * 60 * 60 * 1000)
  switch (mail.kind) {
    case 'verification':
      return verificationMail(
        mail.to,
        link(appUrl, 'confirm-verification', mail.token),
        mail.expires,
      )
    case 'passwordReset':
      return passwordResetMail(mail.to, link(appUrl, 'reset-password', mail.token), mail.expires)
    case 'emailChange':
      return emailChangeMail(
        mail.to,
        link(appUrl, 'confirm-email-change', mail.token),
        mail.expires,
      )
    case 'emailChanged':
      return emailChangedMail(mail.to, mail.newEmail, tomorrow)
    case 'codesPaused':
      return otpLockoutMail(mail.to, mail.until, `${appUrl}/auth/forgot-password`, tomorrow)
    case 'newDevice':
      return newDeviceMail(mail, `${appUrl}/auth/forgot-password`, tomorrow)
    case 'sessionReused':
      return sessionReusedMail(mail, `${appUrl}/auth/forgot-password`, tomorrow)
    case 'linked':
      return linkedMail(mail.to, mail.provider, tomorrow)
  }
}

function link(appUrl: string, screen: string, token: string): string {
  return `${appUrl}/auth/${screen}?token=${encodeURIComponent(token)}`
}
