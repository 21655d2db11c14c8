import { useSession } from '#web/api/session.ts'
import { Badge } from '#web/ui/badge.tsx'
import { t } from '#web/i18n/shell.ts'
import { SideLinks } from './side-links.tsx'
import { useOwnPlace } from './viewer.ts'

/** A reader's links next to the library; on their own profile they are marked as theirs. */
export function LibrarySide() {
  const session = useSession()
  const isOwn = useOwnPlace() !== undefined
  if (!session) return null
  return (
    <div className="sticky top-14 hidden w-52 shrink-0 gap-6 self-start py-10 ps-3 pe-4 lg:grid print:hidden">
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
      <SideLinks place="account" label={t('account')} title={t('account')} />
    </div>
  )
}
