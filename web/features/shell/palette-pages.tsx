import {
  Keyboard,
  LogIn,
  LogOut,
  Moon,
  PenLine,
  ScanBarcode,
  Search,
  Sun,
  Trash2,
  UserPen,
  UserPlus,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { useSignUps } from '#web/api/site.ts'
import { useTheme } from '#web/ui/theme.ts'
import { t } from '#web/i18n/palette.ts'
import { destinations, type Destination, type NavigationSection } from './destinations.ts'
import { matchesText, PaletteGroup, PaletteRow } from './palette-row.tsx'
import { hasKeyboard } from './shortcut.ts'
import type { PaletteDialog } from './shortcut-dialogs.tsx'
import { useSignOut } from './sign-out.ts'
import { useViewer } from './viewer.ts'

type Page = Pick<Destination, 'label' | 'icon' | 'href'> & { external?: boolean }
type FurtherPage = Omit<Page, 'label'> & { label: Parameters<typeof t>[0] }

/** Pages that the navigation reaches only through other pages. */
const further: Record<'reader' | 'visitor', readonly FurtherPage[]> = {
  reader: [
    { label: 'editProfile', icon: UserPen, href: '/account/edit' },
    { label: 'recentlyRemoved', icon: Trash2, href: '/account/removed' },
  ],
  visitor: [
    { label: 'login', icon: LogIn, href: '/login' },
    { label: 'signUp', icon: UserPlus, href: '/signup' },
  ],
}

/** The screens that this viewer can open. */
function usePages(): Page[] {
  const viewer = useViewer()
  const isReader = viewer.username !== undefined
  // A visitor has no library: all of it would lead to sign in.
  const own: readonly NavigationSection[] = isReader ? ['library', 'account'] : []
  const places = ([...own, 'top', 'more', 'footer'] as const).flatMap((place) =>
    destinations(place, viewer),
  )
  const isClosed = useSignUps() === 'closed'
  const more = further[isReader ? 'reader' : 'visitor'].map((page) => ({
    ...page,
    label: t(page.label),
  }))
  const open = isClosed ? more.filter(({ href }) => href !== '/signup') : more
  const all: Page[] = [...places, ...open]
  return [...new Map(all.toReversed().map((page) => [page.href, page])).values()].toReversed()
}

export function PalettePages({ text, onGo }: { text: string; onGo: (path: string) => void }) {
  const pages = usePages().filter(({ label }) => matchesText(label, text))
  if (pages.length === 0) return null
  return (
    <PaletteGroup name={t('pages')}>
      {pages.map(({ label, href, icon: Icon, external }) => (
        <PaletteRow
          key={href}
          value={`page ${href}`}
          icon={<Icon />}
          hint={external ? t('opensInANewTab2') : undefined}
          onSelect={() => (external ? window.open(href, '_blank', 'noopener') : onGo(href))}
        >
          {label}
        </PaletteRow>
      ))}
    </PaletteGroup>
  )
}

interface Action {
  label: string
  icon: ReactNode
  run: () => void
}

interface ActionProps {
  text: string
  onGo: (path: string) => void
  onShow: (what: PaletteDialog) => void
  onClose: () => void
}

/** Actions that are available everywhere, with the catalogue's search last. */
export function PaletteActions({ text, onGo, onShow, onClose }: ActionProps) {
  const isReader = useViewer().username !== undefined
  const { theme, toggle } = useTheme()
  const signOut = useSignOut()
  const isDark = theme === 'dark'
  const ofReader: Action[] = [
    { label: t('scanIsbn'), icon: <ScanBarcode />, run: () => onShow('scan') },
    { label: t('addABookByHand'), icon: <PenLine />, run: () => onShow('add') },
  ]
  const ofAll: Action[] = [
    {
      label: isDark ? t('lightTheme') : t('darkTheme'),
      icon: isDark ? <Sun /> : <Moon />,
      run: toggle,
    },
  ]
  const ofKeys: Action = {
    label: t('keyboardShortcuts'),
    icon: <Keyboard />,
    run: () => onShow('keys'),
  }
  const leave: Action = {
    label: t('logout'),
    icon: <LogOut />,
    run: () => {
      onClose()
      signOut.mutate()
    },
  }
  const actions = [
    ...(isReader ? ofReader : []),
    ...ofAll,
    ...(hasKeyboard() ? [ofKeys] : []),
    ...(isReader ? [leave] : []),
  ].filter(({ label }) => matchesText(label, text))
  // Explore takes no fewer letters.
  if ([...text].length >= 3)
    actions.push({
      label: t('searchCatalogueFor', { text }),
      icon: <Search />,
      run: () => onGo(`/explore?q=${encodeURIComponent(text)}`),
    })
  if (actions.length === 0) return null
  return (
    <PaletteGroup name={t('actions')}>
      {actions.map(({ label, icon, run }) => (
        <PaletteRow key={label} value={`action ${label}`} icon={icon} onSelect={run}>
          <bdi className="line-clamp-1 wrap-anywhere">{label}</bdi>
        </PaletteRow>
      ))}
    </PaletteGroup>
  )
}
