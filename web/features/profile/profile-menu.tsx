import type { ProfileHead } from '#web/api/profile.ts'
import {
  CalendarDays,
  Check,
  Eye,
  Flag,
  Link as LinkIcon,
  PanelTopClose,
  PanelTopOpen,
  Pencil,
  Rss,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { languageParameter } from '#shared/language.ts'
import { visitorViewSearch } from '#shared/visitor-view.ts'
import { loginPath, useSession } from '#web/api/session.ts'
import { useLazyDialog } from '#web/ui/lazy-dialog.ts'
import { Menu, MenuEntries, MenuItem, MenuSeparator, type MenuEntry } from '#web/ui/menu.tsx'
import { toast } from '#web/ui/toast.tsx'
import { currentLanguage } from '#web/i18n/language.ts'
import { t } from '#web/i18n/profile.ts'

const loadReport = async () => (await import('./report-dialog.tsx')).ReportDialog

/** The actions on a profile. */
export default function ProfileMenu(props: {
  trigger: ReactNode
  profile: ProfileHead
  /** The screen's own entries, which come first. */
  entries?: readonly MenuEntry[]
  tabs: { shown: boolean; onToggle: () => void }
}) {
  const { trigger, profile, entries = [], tabs } = props
  const session = useSession()
  const report = useLazyDialog(loadReport)
  const home = `/u/${profile.username}`
  const inLanguage = `${languageParameter}=${currentLanguage()}`
  const isOwn = session?.user.id === profile.id
  async function copyLink(): Promise<void> {
    await navigator.clipboard.writeText(new URL(home, location.href).href)
    toast.info(t('copied'), { duration: 3000, icon: <Check className="size-4" /> })
  }
  return (
    <>
      <Menu trigger={trigger} defaultOpen>
        <MenuEntries of={entries} />
        {entries.length > 0 ? <MenuSeparator /> : null}
        <MenuItem
          icon={<LinkIcon />}
          onSelect={() => void copyLink().catch(() => toast.error(t('theLinkCouldNotBe')))}
        >
          {t('copyLink')}
        </MenuItem>
        {isOwn ? (
          <MenuItem asChild>
            <Link to="/account/edit">
              <Pencil aria-hidden />
              {t('edit')}
            </Link>
          </MenuItem>
        ) : null}
        {isOwn ? (
          <MenuItem asChild>
            <a href={visitorViewSearch}>
              <Eye aria-hidden />
              {t('viewAsVisitor')}
            </a>
          </MenuItem>
        ) : null}
        {!isOwn && session ? (
          <MenuItem icon={<Flag />} onSelect={report.button.onClick}>
            {t('report')}
          </MenuItem>
        ) : null}
        {session ? null : (
          <MenuItem asChild>
            <Link to={loginPath(home)}>
              <Flag aria-hidden />
              {t('report')}
            </Link>
          </MenuItem>
        )}
        {profile.isPrivate ? null : (
          <>
            <MenuItem asChild>
              <a href={`${home}/feed.atom?${inLanguage}`}>
                <Rss aria-hidden />
                {t('atomFeed')}
              </a>
            </MenuItem>
            <MenuItem asChild>
              <a href={`${home}/calendar.ics?${inLanguage}`}>
                <CalendarDays aria-hidden />
                {t('readingCalendar')}
              </a>
            </MenuItem>
          </>
        )}
        <MenuSeparator />
        <MenuItem icon={tabs.shown ? <PanelTopClose /> : <PanelTopOpen />} onSelect={tabs.onToggle}>
          {tabs.shown ? t('hideMenu') : t('openMenu')}
        </MenuItem>
      </Menu>
      {report.Dialog ? (
        <report.Dialog key={report.round} {...report.state} username={profile.username} />
      ) : null}
    </>
  )
}
