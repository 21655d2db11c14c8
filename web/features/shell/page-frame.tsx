import type { ReactNode } from 'react'
import { useSession } from '#web/api/session.ts'
import { classNames } from '#web/ui/class-names.ts'
import { PageMain } from '#web/ui/page-shell.tsx'
import { BottomNavigation } from './bottom-navigation.tsx'
import { SideLinks } from './side-links.tsx'
import { Footer } from './footer.tsx'
import { TopNavigation } from './top-navigation.tsx'

/** What stands around every screen; `side` gives a reader's library links a column of their own. */
export function PageFrame({ side = false, children }: { side?: boolean; children: ReactNode }) {
  const hasSide = Boolean(useSession()) && side
  return (
    <div className="flex min-h-dvh flex-col">
      <TopNavigation />
      <div className={classNames('w-full flex-1', hasSide && 'mx-auto max-w-page lg:flex')}>
        {hasSide ? (
          <div className="sticky top-16 hidden w-48 shrink-0 self-start py-10 ps-3 pe-4 lg:block">
            <SideLinks place="library" label="Library" />
          </div>
        ) : null}
        {/* The room for the bottom bar is below the footer. */}
        <PageMain className="min-w-0 flex-1 max-md:pb-10!">{children}</PageMain>
      </div>
      <Footer />
      <BottomNavigation />
    </div>
  )
}
