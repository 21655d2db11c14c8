import { FileUp, Plug, RotateCcw, UserPen, type LucideIcon } from 'lucide-react'
import { Link } from 'react-router'
import { completionQuery } from '#web/api/completion.ts'
import { browserLoader, serverLoader, type Load } from '#web/api/load.ts'
import { requireSession } from '#web/api/session.ts'
import { openSessionsQuery } from '#web/api/sessions.ts'
import { CompletionCard } from '#web/features/account/completion-card.tsx'
import { DangerZone } from '#web/features/account/danger-zone.tsx'
import { DownloadLinks } from '#web/features/account/download-links.tsx'
import { HelpCard } from '#web/features/account/help-card.tsx'
import { OwnSettings } from '#web/features/account/own-settings.tsx'
import { SessionsCard } from '#web/features/account/sessions-card.tsx'
import { SettingsCards } from '#web/features/account/settings-cards.tsx'
import { StoresCard } from '#web/features/account/stores-card.tsx'
import { SubscriptionCard } from '#web/features/account/subscription-card.tsx'
import { VerificationCard } from '#web/features/account/verification-card.tsx'
import { Button } from '#web/ui/button.tsx'
import { PageHeader } from '#web/ui/page-shell.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { t } from '#web/i18n/account.ts'

const load: Load = async (input) => {
  await requireSession(input)
  await Promise.all([
    input.fetch(openSessionsQuery(input.api)),
    input.fetch(completionQuery(input.api)),
  ])
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const meta = () => [{ title: `${t('settings')} | Octavo` }]

export default function AccountSettingsScreen() {
  return (
    <OwnSettings>
      {({ user, settings }) => (
        <>
          <PageHeader title={t('settings')} description={<bdi>{user.email}</bdi>} />
          <div className="grid grid-cols-1 gap-6 lg:grid-cols-2 lg:items-start">
            <VerificationCard user={user} className="lg:col-span-2" />
            <div className="grid grid-cols-1 gap-6">
              <LinkPanel
                title={t('editProfile')}
                description={t('editProfileHint')}
                to="/account/edit"
                Icon={UserPen}
              />
              <SettingsCards settings={settings} />
              <CompletionCard settings={settings} />
              <StoresCard settings={settings} />
            </div>
            <div className="grid grid-cols-1 gap-6">
              <SubscriptionCard />
              <SessionsCard />
              <HelpCard />
              <LinkPanel
                title={t('connections')}
                description={t('connectionsHint')}
                to="/account/connections"
                Icon={Plug}
              />
              <LinkPanel
                title={t('importBooks')}
                description={t('importBooksHint')}
                to="/account/imports"
                Icon={FileUp}
              />
              <Panel title={t('downloadYourData')} description={t('downloadYourDataHint')}>
                <DownloadLinks trackers />
              </Panel>
              <LinkPanel
                title={t('recentlyRemoved')}
                description={t('recentlyRemovedHint')}
                to="/account/removed"
                Icon={RotateCcw}
              />
              <DangerZone user={user.id} />
            </div>
          </div>
        </>
      )}
    </OwnSettings>
  )
}

/** Settings that have their own screen. */
function LinkPanel(props: { title: string; description: string; to: string; Icon: LucideIcon }) {
  const { title, description, to, Icon } = props
  return (
    <Panel title={title} description={description}>
      <Button asChild>
        <Link to={to} prefetch="intent">
          <Icon aria-hidden className="size-4" />
          {title}
        </Link>
      </Button>
    </Panel>
  )
}
