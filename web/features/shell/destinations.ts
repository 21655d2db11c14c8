import {
  Bookmark,
  Calendar,
  CalendarDays,
  ChartColumn,
  CircleHelp,
  CircleUser,
  Compass,
  FileText,
  Heart,
  House,
  Library,
  Map as MapIcon,
  ScanBarcode,
  Settings,
  Tag,
  Users,
  type LucideIcon,
} from 'lucide-react'
import { tabPath } from '#shared/period.ts'
import type { Site } from '#web/api/site.ts'
import { t } from '#web/i18n/shell.ts'

/** One line of the navigation. A screen is named here from the day it exists, and not before. */
interface Entry {
  label: Parameters<typeof t>[0]
  icon: LucideIcon
  /** A path, in which `:me` is the reader's own page, `:scan` the scanner's dialog, or the address an operator may set. */
  to: `/${string}` | ':home' | ':scan' | { site: 'roadmap' }
  /** Absent means that everyone sees it. */
  only?: 'visitor' | 'reader'
  /** The entry stays marked on the screens below it. */
  covers?: true
}

const explore: Entry = { label: 'explore', icon: Compass, to: '/explore' }
const profile: Entry = { label: 'profile', icon: CircleUser, to: '/u/:me' }
const settings: Entry = {
  label: 'settings',
  icon: Settings,
  to: '/account/settings',
  only: 'reader',
}
const roadmap: Entry = { label: 'roadmap', icon: MapIcon, to: { site: 'roadmap' } }

const users: Entry = { label: 'users', icon: Users, to: '/users' }
const pricing: Entry = { label: 'pricing', icon: Tag, to: '/pricing' }

const books: Entry = { label: 'books', icon: Library, to: '/u/:me/books' }
const own: readonly Entry[] = [
  books,
  { label: 'shelves', icon: Bookmark, to: '/u/:me/shelves' },
  { label: 'wishlist', icon: Heart, to: '/u/:me/wishlist' },
]
const library = [...own, { label: 'diary', icon: Calendar, to: '/u/:me/diary' }] as const

/** Every place that leads somewhere, in the order of the screen. */
const entries = {
  top: [explore, users, pricing, roadmap],
  account: [profile, settings],
  library,
  /** First in the top bar where no side has them. */
  own,
  /** A phone's header on the reader's own library. */
  tabs: [
    { label: 'overview', icon: CircleUser, to: '/u/:me' },
    ...library,
    { label: 'stats', icon: ChartColumn, to: '/u/:me/stats' },
    { label: 'theYear', icon: CalendarDays, to: '/u/:me/year' },
  ],
  bottom: [
    { label: 'home', icon: House, to: ':home' },
    { ...explore, only: 'visitor' },
    { ...books, only: 'reader' },
    { label: 'scan', icon: ScanBarcode, to: ':scan' },
    { ...profile, covers: true },
  ],
  more: [settings, users, roadmap, { label: 'helpPage', icon: CircleHelp, to: '/contact' }],
  footer: [
    { label: 'contact', icon: CircleHelp, to: '/contact' },
    { label: 'privacyPolicy', icon: FileText, to: '/privacy' },
    { label: 'termsOfService', icon: FileText, to: '/terms' },
  ],
} satisfies Record<string, readonly Entry[]>

export type NavigationSection = keyof typeof entries

export interface Destination {
  label: string
  icon: LucideIcon
  href: string
  /** Leaves Octavo. */
  external: boolean
  current: boolean
}

export interface Viewer {
  /** The signed-in reader; undefined for a visitor. */
  username: string | undefined
  site: Site
  pathname: string
}

/**
 * The entries of one place for one viewer. What belongs to a reader leads a visitor to sign in;
 * what the operator has not set is left out.
 */
export function destinations(
  place: NavigationSection,
  { username, site, pathname: path }: Viewer,
): Destination[] {
  const pathname = tabPath(path) || '/'
  const audience = username === undefined ? 'visitor' : 'reader'
  const all = entries[place] as readonly Entry[]
  // A parent entry is marked for the screens below it that have no entry of their own.
  const hasOwn = all.some(({ to }) => typeof to === 'string' && pathFor(to, username) === pathname)
  return all.flatMap(({ label, icon, to, only, covers }) => {
    if (only && only !== audience) return []
    const external = typeof to === 'object'
    const href = external ? site[to.site] : pathFor(to, username)
    if (!href) return []
    // A link that sends a visitor to sign in isn't the current page.
    const isItself = href !== '/login'
    const current =
      isItself &&
      (pathname === href || (covers === true && !hasOwn && pathname.startsWith(`${href}/`)))
    // A second tap on the profile leads on to its books.
    const next = covers && isItself && pathname === href ? `${href}/books` : href
    return [{ label: t(label), icon, href: next, external, current }]
  })
}

/** The address of what is an action and no page. */
export const scanAction = '#scan'

function pathFor(to: string, username: string | undefined): string {
  if (to === ':home') return username === undefined ? '/' : '/explore'
  if (to === ':scan') return username === undefined ? '/login' : scanAction
  if (!to.includes(':me')) return to
  return username === undefined ? '/login' : to.replace(':me', encodeURIComponent(username))
}
