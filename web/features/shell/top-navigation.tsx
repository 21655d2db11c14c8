import type { ReactNode } from 'react'
import { Search } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { loginPath, useSession } from '#web/api/session.ts'
import { usePlanAction } from '#web/features/billing/plan-action.ts'
import { Button } from '#web/ui/button.tsx'
import { TopBar, TopBarLink } from '#web/ui/navigation.tsx'
import { ThemeToggle } from '#web/ui/theme-toggle.tsx'
import { t } from '#web/i18n/shell.ts'
import { Brand } from './brand.tsx'
import { DestinationLink } from './destination-link.tsx'
import { Drawer } from './drawer.tsx'
import { triggerShortcut } from './shortcut.ts'
import { UserMenu } from './user-menu.tsx'
import { useDestinations } from './viewer.ts'

/**
 * @param props.hasSide whether a wide screen has the links of the drawer in a column beside the page;
 *   otherwise a reader's own come first here
 * @param props.phone stands on phones in place of all the rest
 */
export function TopNavigation({ hasSide, phone }: { hasSide: boolean; phone?: ReactNode }) {
  const session = useSession()
  return (
    <TopBar
      phone={phone}
      brand={
        <div className="flex items-center gap-1">
          {/* A wide screen has all of a reader's links in sight, with a side or without. */}
          <Drawer className={session ? 'lg:hidden' : undefined} />
          <Brand />
        </div>
      }
      links={
        <>
          {session && !hasSide ? <Links place="own" className="max-lg:hidden" /> : null}
          <Links place="top" />
        </>
      }
      end={
        <>
          <SearchLink className={session ? undefined : 'max-md:hidden'} />
          {session ? <UserMenu user={session.user} /> : <VisitorActions />}
        </>
      }
    />
  )
}

function Links({ place, className }: { place: 'own' | 'top'; className?: string }) {
  return useDestinations(place).map((entry) => (
    <TopBarLink key={entry.label} current={entry.current} className={className}>
      <DestinationLink to={entry}>{entry.label}</DestinationLink>
    </TopBarLink>
  ))
}

/** Opens the palette; where scripts are off, the search of books. */
function SearchLink({ className }: { className?: string | undefined }) {
  return (
    <TopBarLink className={className}>
      <Link
        to="/explore"
        aria-label={t('findAnything')}
        title={t('findAnything')}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return
          event.preventDefault()
          triggerShortcut('palette')
        }}
      >
        <Search aria-hidden className="size-5" />
      </Link>
    </TopBarLink>
  )
}

/** Phones have no room to spare beside the name. */
const narrow = '@max-[23rem]:px-2'

function VisitorActions() {
  const { pathname, search } = useLocation()
  const action = usePlanAction()
  // From the screens about signing in, and from the landing page, there is nowhere to come back to.
  const comesBack = !['/', '/login', '/signup'].includes(pathname)
  return (
    <>
      <ThemeToggle className="max-md:hidden" />
      <Button variant="quiet" className={narrow} asChild>
        <Link to={comesBack ? loginPath(pathname + search) : '/login'}>{t('login')}</Link>
      </Button>
      {action ? (
        <Button variant="primary" className={narrow} asChild>
          {action === 'sign-up' ? (
            <Link to="/signup">{t('signUp')}</Link>
          ) : (
            <Link to="/pricing">{t('subscribe')}</Link>
          )}
        </Button>
      ) : null}
    </>
  )
}
