import { Outlet } from 'react-router'
import { ErrorPage } from '#web/features/shell/error-page.tsx'
import { LibrarySide } from '#web/features/shell/library-side.tsx'
import { PageFrame } from '#web/features/shell/page-frame.tsx'
import type { Route } from './+types/library-layout'

export default function Layout() {
  return (
    <PageFrame side={<LibrarySide />}>
      <Outlet />
    </PageFrame>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <PageFrame side={<LibrarySide />}>
      <ErrorPage error={error} />
    </PageFrame>
  )
}
