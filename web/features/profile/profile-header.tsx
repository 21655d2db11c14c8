import { useQuery } from '@tanstack/react-query'
import { EllipsisVertical } from 'lucide-react'
import { Suspense } from 'react'
import { lazy } from '#web/ui/lazy.ts'
import { Link, useLocation } from 'react-router'
import { tabPath } from '#shared/period.ts'
import { useApi } from '#web/api/context.ts'
import { filePath } from '#web/api/file-path.ts'
import { type ProfileHead, spinesQuery } from '#web/api/profile.ts'
import { useSession } from '#web/api/session.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { OnDemand } from '#web/ui/on-demand.tsx'
import { Container } from '#web/ui/page-shell.tsx'
import { NavTab, NavTabs } from '#web/ui/nav-tabs.tsx'
import { t } from '#web/i18n/profile.ts'
import { DotsBanner } from './dots-banner.tsx'
import { useProfileTabs } from './use-profile-tabs.ts'

const fetchMenu = () => import('./profile-menu.tsx')
const ProfileMenu = lazy(fetchMenu)

/** Fetched on an overview without a picture; the server draws it with the page. */
const SpineBand = lazy(() => import('./spine-band.tsx'))

const tabs = [
  { label: 'tab.overview', path: '' },
  { label: 'tab.books', path: '/books' },
  { label: 'tab.shelves', path: '/shelves' },
  { label: 'tab.wishlist', path: '/wishlist' },
  { label: 'diary', path: '/diary' },
  { label: 'tab.stats', path: '/stats' },
  { label: 'tab.year', path: '/year' },
] as const

/** A reader's tabs, marked where the page is one of them. */
function Tabs({ home, className }: { home: string; className: string }) {
  const here = tabPath(decodeURI(useLocation().pathname).toLowerCase())
  return (
    <NavTabs label={t('profile')} className={classNames('border-b-0', className)}>
      {tabs.map((tab) => (
        <NavTab key={tab.path} current={here === (home + tab.path).toLowerCase()}>
          <Link to={home + tab.path} prefetch="intent">
            {t(tab.label)}
          </Link>
        </NavTab>
      ))}
    </NavTabs>
  )
}

/** On a screen of their own library a reader needs no card; on a phone the top bar has the tabs. */
function OwnHeader({ profile }: { profile: ProfileHead }) {
  const { shown } = useProfileTabs()
  const name = profile.name || profile.username
  return (
    <Container className="-mt-10 max-md:hidden print:hidden">
      <header className="flex min-h-12 items-end gap-4 border-b border-line">
        <p className="flex h-11 min-w-0 items-center gap-2.5 font-serif text-base font-medium">
          <Avatar
            name={name}
            src={profile.avatar ? filePath(profile, profile.avatar, '100x50f') : null}
            size="sm"
          />
          <bdi className="max-w-48 truncate">{name}</bdi>
        </p>
        {shown ? <Tabs home={`/u/${profile.username}`} className="-mb-px" /> : null}
      </header>
    </Container>
  )
}

const menuButton = () => (
  <IconButton label={t('profileMenu')}>
    <EllipsisVertical aria-hidden />
  </IconButton>
)

/** Name and tabs above every page of a reader; above the overview a banner, too. */
export function ProfileHeader({ profile }: { profile: ProfileHead }) {
  const picture = (name: string, thumb: string) => filePath(profile, name, thumb)
  const home = `/u/${profile.username}`
  const { pathname } = useLocation()
  const menu = useProfileTabs()
  const session = useSession()
  const isOwn = session?.user.id === profile.id
  const here = decodeURI(pathname).toLowerCase().replace(/\/$/, '')
  const isAt = (path: string) => here === (home + path).toLowerCase()
  // The pages below name themselves; the overview is the reader's own page.
  const isOverview = isAt('')
  if (isOwn && !isOverview) return <OwnHeader profile={profile} />
  const Name = isOverview ? 'h1' : 'p'
  return (
    <header
      className={classNames(
        '-mt-6 border-b border-line bg-surface md:-mt-10',
        // Beside the side column the banner is a card as wide as the content below it.
        session && 'lg:mx-6 lg:mt-0 lg:overflow-hidden lg:rounded-md lg:border',
      )}
    >
      {!isOverview ? (
        <div className="h-3" />
      ) : profile.background ? (
        <img
          src={picture(profile.background, '1287x480')}
          alt=""
          className="h-28 w-full bg-rubric-tint object-cover md:h-48"
        />
      ) : (
        <Band user={profile.id} />
      )}
      <Container className="relative flex flex-wrap gap-x-4">
        <Avatar
          name={profile.name || profile.username}
          src={profile.avatar ? picture(profile.avatar, isOverview ? '256x256' : '100x50f') : null}
          size={isOverview ? 'xl' : 'md'}
          className={isOverview ? '-mt-10 shrink-0 ring-4 ring-surface' : 'shrink-0'}
        />
        {/* Below the picture, where large letters leave no room beside it. */}
        <div className={classNames('min-w-0 flex-1 basis-[6rem] pe-10', isOverview && 'pt-2.5')}>
          <Name
            className={classNames(
              'font-serif font-medium tracking-[-0.012em] wrap-anywhere',
              isOverview
                ? 'line-clamp-2 text-xl leading-[1.4] md:text-2xl md:leading-[1.4]'
                : 'line-clamp-1 text-lg leading-6',
            )}
          >
            <bdi>{profile.name || profile.username}</bdi>
          </Name>
          <p className="flex flex-wrap items-center gap-x-2 text-sm text-ink-soft">
            <bdi className="truncate">@{profile.username}</bdi>
            {isOwn ? <Badge>{t('you')}</Badge> : null}
          </p>
        </div>
        <span className={classNames('absolute end-2 md:end-4', isOverview ? 'top-2' : '-top-1')}>
          <OnDemand button={menuButton()} preload={fetchMenu}>
            {(trigger) => <ProfileMenu trigger={trigger} profile={profile} tabs={menu} />}
          </OnDemand>
        </span>
      </Container>
      <Container>
        {menu.shown ? <Tabs home={home} className="-mx-3 mt-2" /> : <div className="h-4" />}
      </Container>
    </header>
  )
}

/** Without an uploaded picture: the reader's books, or dots if there are none. */
function Band({ user }: { user: string }) {
  // The loader has asked; it is not asked again for its looks.
  const { data: books = [] } = useQuery({ ...spinesQuery(useApi(), user), enabled: false })
  if (books.length === 0) return <DotsBanner />
  return (
    <Suspense fallback={<DotsBanner />}>
      <SpineBand books={books} />
    </Suspense>
  )
}
