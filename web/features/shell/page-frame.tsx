import type { ReactNode } from 'react'
import { useSession } from '#web/api/session.ts'
import { classNames } from '#web/ui/class-names.ts'
import { PageMain } from '#web/ui/page-shell.tsx'
import { BottomNavigation } from './bottom-navigation.tsx'
import { Footer } from './footer.tsx'
import { NavigationProgress } from './navigation-progress.tsx'
import { TopNavigation } from './top-navigation.tsx'

/** The frame of every screen; `side` is a column for readers on wide screens. */
export function PageFrame({ side, children }: { side?: ReactNode; children: ReactNode }) {
  const hasSide = Boolean(useSession()) && Boolean(side)
  return (
    <div className="flex min-h-dvh flex-col">
      <NavigationProgress />
      <TopNavigation hasSide={hasSide} />
      <div className={classNames('w-full flex-1', hasSide && 'mx-auto max-w-page lg:flex')}>
        {hasSide ? side : null}
        {/* The room for the bottom bar is below the footer. */}
        <PageMain className="min-w-0 flex-1 max-md:pb-10!">{children}</PageMain>
      </div>
      <Footer />
      <BottomNavigation />
    </div>
  )
}
