import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { subscriptionQuery } from '#web/api/account.ts'
import { useApi } from '#web/api/context.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'

/** The plan a reader is on. */
export function SubscriptionCard({ user }: { user: string }) {
  const { data: subscription } = useSuspenseQuery(subscriptionQuery(useApi(), user))
  const isActive = subscription?.status === 'active'
  return (
    <Panel
      title="Manage Subscription"
      description={
        isActive ? 'Premium Scholar: shelves without limit.' : 'You are on the Free Forever plan.'
      }
      actions={
        <Badge tone={isActive ? 'success' : 'danger'}>{isActive ? 'Active' : 'Inactive'}</Badge>
      }
    >
      <Button asChild>
        <Link to="/pricing">{isActive ? 'Manage' : 'See the plans'}</Link>
      </Button>
    </Panel>
  )
}
