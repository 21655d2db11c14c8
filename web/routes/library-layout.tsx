import { Outlet } from 'react-router'
import { ErrorPage } from '#web/features/shell/error-page.tsx'
import { PageFrame } from '#web/features/shell/page-frame.tsx'
import type { Route } from './+types/library-layout'

export default function Layout() {
  return (
    <PageFrame side>
      <Outlet />
    </PageFrame>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <PageFrame side>
      <ErrorPage error={error} />
    </PageFrame>
  )
}
