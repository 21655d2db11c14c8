import { Link } from 'react-router'
import { TextLink } from '#web/ui/link.tsx'
import { t } from '#web/i18n/entry.ts'

/** Said before anybody goes on. */
export function LegalNote() {
  return (
    <p className="mt-4 text-xs text-ink-soft">
      By continuing you agree to the{' '}
      <TextLink tone="ink" asChild>
        <Link to="/terms">{t('termsOfService')}</Link>
      </TextLink>{' '}
      and the{' '}
      <TextLink tone="ink" asChild>
        <Link to="/privacy">{t('privacyPolicy')}</Link>
      </TextLink>
      .
    </p>
  )
}
