import type { ReactNode } from 'react'
import { useSession } from '#web/api/session.ts'
import { classNames } from '#web/ui/class-names.ts'
import { PageMain } from '#web/ui/page-shell.tsx'
import { Part } from '#web/ui/part.tsx'
import { t } from '#web/i18n/shell.ts'
import { BottomNavigation } from './bottom-navigation.tsx'
import { Footer } from './footer.tsx'
import { NavigationProgress } from './navigation-progress.tsx'
import { TopNavigation } from './top-navigation.tsx'

/**
 * The frame of every screen; `side` is a column for readers on wide screens, and `phone` a phone's
 * header in place of the usual one.
 */
export function PageFrame(props: { side?: ReactNode; phone?: ReactNode; children: ReactNode }) {
  const { side, phone, children } = props
  const hasSide = Boolean(useSession()) && Boolean(side)
  return (
    <div className="flex min-h-dvh flex-col">
      <NavigationProgress />
      <Part isExtra>
        <TopNavigation hasSide={hasSide} phone={phone} />
      </Part>
      <noscript className="px-4 pt-4 text-center text-sm font-medium">
        {t('buttonsNeedScripts')}{' '}
        <a href="/menu" className="me-3 inline-block py-3 underline">
          {t('menu')}
        </a>
        <a href="/lite" className="inline-block py-3 underline">
          {t('plainPages')}
        </a>
      </noscript>
      <div className={classNames('w-full flex-1', hasSide && 'mx-auto max-w-page lg:flex')}>
        {hasSide ? <Part isExtra>{side}</Part> : null}
        {/* The room for the bottom bar is below the footer. */}
        <PageMain className="min-w-0 flex-1 max-md:pb-10!">{children}</PageMain>
      </div>
      <Part isExtra>
        <Footer />
      </Part>
      <Part isExtra>
        <BottomNavigation />
      </Part>
    </div>
  )
}
