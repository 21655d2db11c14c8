import { Check, EllipsisVertical, Link as LinkIcon } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import type { Profile } from '#shared/account.ts'
import { useSession } from '#web/api/session.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { Container } from '#web/ui/page-shell.tsx'
import { NavTab, NavTabs } from '#web/ui/tabs.tsx'
import { toast } from '#web/ui/toast.tsx'
import { DotsBanner } from './dots-banner.tsx'

const tabs = [
  { label: 'Overview', path: '' },
  { label: 'Books', path: '/books' },
  { label: 'Shelves', path: '/shelves' },
]

/** Banner, name and tabs above every page of a reader. */
export function ProfileHeader({ profile }: { profile: Profile }) {
  const home = `/u/${profile.username}`
  const { pathname } = useLocation()
  const isOwn = useSession()?.user.id === profile.id
  return (
    <header className="border-b border-line bg-surface">
      <DotsBanner />
      <Container className="flex items-end gap-4">
        <Avatar
          name={profile.name || profile.username}
          size="xl"
          className="-mt-10 ring-4 ring-surface"
        />
        <div className="flex min-w-0 flex-1 items-center gap-3 pt-3 pb-2">
          <div className="min-w-0">
            <p className="flex items-center gap-2 font-serif text-xl font-medium md:text-2xl">
              <bdi className="truncate">{profile.name || profile.username}</bdi>
              {isOwn ? <Badge tone="rubric">You</Badge> : null}
            </p>
            <p className="truncate text-sm text-ink-soft">@{profile.username}</p>
          </div>
          <span className="ms-auto">
            <ProfileMenu home={home} />
          </span>
        </div>
      </Container>
      <Container>
        <NavTabs label="Profile" className="mt-2 border-b-0">
          {tabs.map((tab) => (
            <NavTab
              key={tab.path}
              current={decodeURI(pathname).toLowerCase() === (home + tab.path).toLowerCase()}
            >
              <Link to={home + tab.path} prefetch="intent">
                {tab.label}
              </Link>
            </NavTab>
          ))}
        </NavTabs>
      </Container>
    </header>
  )
}

function ProfileMenu({ home }: { home: string }) {
  async function copyLink(): Promise<void> {
    await navigator.clipboard.writeText(new URL(home, location.href).href)
    toast.info('copied', { duration: 3000, icon: <Check className="size-4" /> })
  }
  return (
    <Menu
      trigger={
        <IconButton label="Profile menu">
          <EllipsisVertical aria-hidden />
        </IconButton>
      }
    >
      <MenuItem
        icon={<LinkIcon />}
        onSelect={() => void copyLink().catch(() => toast.error('The link could not be copied.'))}
      >
        Copy Link
      </MenuItem>
    </Menu>
  )
}
