import { EllipsisVertical } from 'lucide-react'
import type { ProfileHead } from '#web/api/profile.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { lazy } from '#web/ui/lazy.ts'
import type { MenuEntry } from '#web/ui/menu.tsx'
import { OnDemand } from '#web/ui/on-demand.tsx'
import { t } from '#web/i18n/profile.ts'
import { useProfileTabs } from './use-profile-tabs.ts'

const fetchMenu = () => import('./profile-menu.tsx')
const ProfileMenu = lazy(fetchMenu)

/** The one menu of a screen of the reader's own library: its own entries, then the profile's. */
export function ScreenMenu(props: { profile: ProfileHead; entries?: readonly MenuEntry[] }) {
  const tabs = useProfileTabs()
  return (
    <OnDemand
      preload={fetchMenu}
      button={
        <IconButton label={t('options')} className="size-11!">
          <EllipsisVertical aria-hidden />
        </IconButton>
      }
    >
      {(trigger) => <ProfileMenu {...props} trigger={trigger} tabs={tabs} />}
    </OnDemand>
  )
}
