import { useHasMailServer } from '#web/api/site.ts'
import { t } from '#web/i18n/entry.ts'

/** Says where an email is on a site without a mail server; nothing on any other. */
export function MailboxNote() {
  if (useHasMailServer()) return null
  return <span className="block text-sm text-ink-soft">{t('emailsWaitInMailbox')}</span>
}
