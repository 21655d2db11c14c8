import type { ReactNode } from 'react'
import { Outlet } from 'react-router'
import { ErrorPage } from '#web/features/shell/error-page.tsx'
import { LibrarySide } from '#web/features/shell/library-side.tsx'
import { LibraryTabs } from '#web/features/shell/library-tabs.tsx'
import { PageFrame } from '#web/features/shell/page-frame.tsx'
import { useOwnPlace } from '#web/features/shell/viewer.ts'
import type { Route } from './+types/library-layout'

export default function Layout() {
  return (
    <Frame>
      <Outlet />
    </Frame>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <Frame>
      <ErrorPage error={error} />
    </Frame>
  )
}

function Frame({ children }: { children: ReactNode }) {
  const isOwn = useOwnPlace() === 'library'
  return (
    <PageFrame side={<LibrarySide />} phone={isOwn ? <LibraryTabs /> : undefined}>
      {children}
    </PageFrame>
  )
}
