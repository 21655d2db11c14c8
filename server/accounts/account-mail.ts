import type { AuthMail } from '#records/index.ts'
import { renderMail, type MailContent } from '#server/mail/layout.ts'
import type { Message } from '#server/mail/message.ts'
import { deviceName } from '#shared/device.ts'
import { formatMailTime, mailMessage, type MailMessageKey } from '#server/mail/translations.ts'
import type { Language } from '#shared/language.ts'

type MailText = Pick<MailContent, 'subject' | 'lead' | 'action' | 'rest'>

/**
 * Renders a mail about an account.
 *
 * @param appUrl the site's address, for links
 * @param now when the mail is sent; a notice expires after a day
 */
export function accountMail(
  mail: AuthMail,
  appUrl: string,
  now: Date,
  language: Language = 'en',
): Message {
  const tomorrow = new Date(now.getTime() + 24 * 60 * 60 * 1000)
  const expires = 'expires' in mail ? mail.expires : tomorrow
  return renderMail({
    to: mail.to,
    expires,
    language,
    ...textOf(mail, `${appUrl}/auth`, language),
  })
}

function textOf(mail: AuthMail, screens: string, language: Language): MailText {
  const t = (key: MailMessageKey, values?: Record<string, string>) =>
    mailMessage(language, key, values)
  const link = (key: MailMessageKey, screen: string, token: string) => ({
    label: t(key),
    url: `${screens}/${screen}?token=${encodeURIComponent(token)}`,
  })
  const newPassword = { label: t('reset.action'), url: `${screens}/forgot-password` }
  switch (mail.kind) {
    case 'verification':
      return {
        subject: t('verification.subject'),
        lead: t('verification.lead'),
        action: link('verification.action', 'confirm-verification', mail.token),
        rest: [t('verification.rest')],
      }
    case 'passwordReset':
      return {
        subject: t('reset.subject'),
        lead: t('reset.lead'),
        action: link('reset.action', 'reset-password', mail.token),
        rest: [t('reset.rest'), t('reset.notYou')],
      }
    case 'emailChange':
      return {
        subject: t('change.subject'),
        lead: t('change.lead'),
        action: link('change.action', 'confirm-email-change', mail.token),
        rest: [t('change.rest'), t('change.notYou')],
      }
    case 'emailChanged':
      return {
        subject: t('changed.subject'),
        lead: t('changed.lead', { email: mail.newEmail }),
        rest: [t('changed.rest')],
      }
    case 'otpLockout':
      return {
        subject: t('paused.subject'),
        lead: t('paused.lead', { time: formatMailTime(language, mail.until) }),
        action: newPassword,
        rest: [t('paused.rest')],
      }
    case 'newDevice': {
      const { agent, time, address } = mail
      const signIn = {
        device: deviceName(agent, t),
        time: formatMailTime(language, time),
        address,
      }
      return {
        subject: t('device.subject'),
        lead: t(address ? 'device.leadWithAddress' : 'device.lead', signIn),
        action: newPassword,
        rest: [t('device.rest')],
      }
    }
    case 'sessionReused': {
      const device = deviceName(mail.agent, t)
      return {
        subject: t('reused.subject'),
        lead: t('reused.lead', { device, time: formatMailTime(language, mail.time) }),
        action: newPassword,
        rest: [t('reused.rest')],
      }
    }
    case 'passkeyAdded':
      return {
        subject: t('passkey.subject'),
        lead: t('passkey.lead', { name: mail.name }),
        action: newPassword,
        rest: [t('passkey.rest')],
      }
    case 'linked': {
      const { provider } = mail
      return {
        subject: t('linked.subject', { provider }),
        lead: t('linked.lead', { provider }),
        rest: [t('linked.rest', { provider })],
      }
    }
  }
}
