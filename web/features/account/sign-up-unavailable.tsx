import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Button } from '#web/ui/button.tsx'
import { t } from '#web/i18n/entry.ts'
import { AccountPage } from './account-page.tsx'

/** Shown in place of the form if nobody, or nobody without an invitation, can sign up. */
export function SignUpUnavailable({ isClosed, foot }: { isClosed: boolean; foot: ReactNode }) {
  return (
    <AccountPage title={t('signUp')} foot={foot}>
      <div className="grid gap-4">
        <p>{t(isClosed ? 'signUpsClosed' : 'invitationRequired')}</p>
        <p className="text-sm text-ink-soft">
          {isClosed ? t('lookAroundWithoutAccount') : t('openInvitationAgain')}
        </p>
        <Button size="lg" asChild>
          <Link to="/explore">{t('exploreBooks')}</Link>
        </Button>
      </div>
    </AccountPage>
  )
}
