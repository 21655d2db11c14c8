import { useLocation } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { Badge } from '#web/ui/badge.tsx'
import { t } from '#web/i18n/shell.ts'
import { SideLinks } from './side-links.tsx'

/** A reader's links next to the library; on their own profile they are marked as theirs. */
export function LibrarySide() {
  const session = useSession()
  const { pathname } = useLocation()
  if (!session) return null
  const isOwn = `${pathname.toLowerCase()}/`.startsWith(`/u/${session.user.username}/`)
  return (
    <div className="sticky top-16 hidden w-52 shrink-0 gap-6 self-start py-10 ps-3 pe-4 lg:grid">
      <SideLinks place="account" label={t('account')} title={t('account')} />
      <SideLinks
        place="library"
        label={t('libraryShortcuts')}
        title={
          <>
            {t('libraryShortcuts')}
            {isOwn ? <Badge>{t('you')}</Badge> : null}
          </>
        }
      />
    </div>
  )
}
