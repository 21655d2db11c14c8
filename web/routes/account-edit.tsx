import { ArrowLeft } from 'lucide-react'
import { Link } from 'react-router'
import { browserLoader, serverLoader, type Load } from '#web/api/load.ts'
import { requireSession } from '#web/api/session.ts'
import { AccountCard } from '#web/features/account/account-card.tsx'
import { OwnSettings } from '#web/features/account/own-settings.tsx'
import { profileAction } from '#web/features/account/profile-action.ts'
import { PicturesCard } from '#web/features/account/pictures-card.tsx'
import { SignInCards } from '#web/features/account/sign-in-cards.tsx'
import { Button } from '#web/ui/button.tsx'
import { PageHeader } from '#web/ui/page-shell.tsx'
import { t } from '#web/i18n/account.ts'

const load: Load = (input) => requireSession(input)

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const action = profileAction

export const meta = () => [{ title: `${t('editProfile')} | Octavo` }]

export default function AccountEditScreen() {
  return (
    <OwnSettings>
      {({ user, settings }) => (
        <>
          <PageHeader
            title={t('editProfile')}
            actions={
              <Button variant="quiet" className="-me-4 max-w-none" asChild>
                <Link to="/account/settings">
                  <ArrowLeft aria-hidden className="size-4" />
                  {t('settings')}
                </Link>
              </Button>
            }
          />
          <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
            <PicturesCard user={user} settings={settings} />
            <AccountCard user={user} settings={settings} />
            <SignInCards user={user} />
          </div>
        </>
      )}
    </OwnSettings>
  )
}
