import { Outlet } from 'react-router'
import { ErrorPage } from '#web/features/shell/error-page.tsx'
import { PageFrame } from '#web/features/shell/page-frame.tsx'
import type { Route } from './+types/public-layout'

export default function Layout() {
  return (
    <PageFrame>
      <Outlet />
    </PageFrame>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <PageFrame>
      <ErrorPage error={error} />
    </PageFrame>
  )
}
