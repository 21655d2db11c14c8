import { completionQuery } from '#web/api/completion.ts'
import { browserLoader, serverLoader, type Load } from '#web/api/load.ts'
import { requireSession } from '#web/api/session.ts'
import { openSessionsQuery } from '#web/api/sessions.ts'
import { ChoiceSections } from '#web/features/account/choice-sections.tsx'
import { CompletionRow } from '#web/features/account/completion-row.tsx'
import { DangerZone } from '#web/features/account/danger-zone.tsx'
import { DownloadLinks } from '#web/features/account/download-links.tsx'
import { HelpRow } from '#web/features/account/help-row.tsx'
import { OwnSettings } from '#web/features/account/own-settings.tsx'
import { SessionsRow } from '#web/features/account/sessions-row.tsx'
import { settingsAction } from '#web/features/account/settings-action.ts'
import { SettingsList } from '#web/features/account/settings-list.tsx'
import {
  SettingsLink,
  SettingsRow,
  SettingsSection,
} from '#web/features/account/settings-section.tsx'
import { StoresRow } from '#web/features/account/stores-row.tsx'
import { SubscriptionRow } from '#web/features/account/subscription-row.tsx'
import { VerificationCard } from '#web/features/account/verification-card.tsx'
import { PageHeader } from '#web/ui/page-shell.tsx'
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

export const action = settingsAction

export const meta = () => [{ title: `${t('settings')} | Octavo` }]

export default function AccountSettingsScreen() {
  return (
    <OwnSettings>
      {({ user, settings }) => (
        <>
          <PageHeader title={t('settings')} description={<bdi>{user.email}</bdi>} />
          <div className="grid grid-cols-1 gap-10 lg:grid-cols-[12.5rem_minmax(0,42.5rem)] lg:gap-18">
            <SettingsList settings={settings} />
            <div className="grid min-w-0 grid-cols-1 content-start gap-10">
              <VerificationCard user={user} />
              <ChoiceSections settings={settings} />
              <SettingsSection id="library" title={t('library')}>
                <SettingsLink
                  title={t('connections')}
                  hint={t('connectionsHint')}
                  to="/account/connections"
                />
                <SettingsLink
                  title={t('importBooks')}
                  hint={t('importBooksHint')}
                  to="/account/imports"
                />
                <CompletionRow settings={settings} />
                <StoresRow settings={settings} />
                <SettingsLink
                  title={t('recentlyRemoved')}
                  hint={t('recentlyRemovedHint')}
                  to="/account/removed"
                />
              </SettingsSection>
              <SettingsSection id="account" title={t('account')}>
                <SessionsRow />
                <SubscriptionRow />
                <SettingsRow title={t('downloadYourData')} hint={t('downloadYourDataHint')}>
                  <DownloadLinks trackers />
                </SettingsRow>
                <HelpRow />
              </SettingsSection>
              <DangerZone user={user.id} />
            </div>
          </div>
        </>
      )}
    </OwnSettings>
  )
}
