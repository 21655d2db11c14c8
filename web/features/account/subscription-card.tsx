import { Link } from 'react-router'
import type { Subscription } from '#shared/account.ts'
import { useSession } from '#web/api/session.ts'
import { useHasPlans, useSite } from '#web/api/site.ts'
import { useManageSubscription } from '#web/features/billing/manage-subscription.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { parseTimestamp, useLocalDate } from '#web/ui/timestamp.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { t } from '#web/i18n/account.ts'

/** The plan a reader is on, until when, and the way to change it. */
export function SubscriptionCard() {
  const session = useSession()
  const site = useSite()
  const { open, isPending } = useManageSubscription()
  const subscription = session?.subscription
  const isActive = Boolean(session?.hasSubscriptionStrict)
  // Without limits only a subscription of one's own has a state.
  const hasState = useHasPlans() || isActive
  return (
    <Panel
      title={t('manageSubscription')}
      description={!hasState ? undefined : isActive ? t('youHavePremium') : t('youreOnTheFreePlan')}
      actions={
        hasState ? (
          <Badge tone={isActive ? 'success' : 'danger'}>
            {isActive ? t('active') : t('inactive')}
          </Badge>
        ) : undefined
      }
    >
      <div className="grid gap-4">
        {!hasState ? (
          <p>{t('everyoneHasEverything')}</p>
        ) : subscription ? (
          <Until subscription={subscription} />
        ) : site.payments ? null : (
          <p className="text-sm">{t('thisSiteDoesntTakePayments')}</p>
        )}
        <div className="flex flex-wrap gap-3 empty:hidden">
          {isActive || !hasState || !site.payments ? null : (
            <Button asChild>
              <Link to="/pricing">{t('subscribe')}</Link>
            </Button>
          )}
          {subscription && site.payments ? (
            <Button
              variant={subscription.pay_by ? 'primary' : isActive ? 'secondary' : 'quiet'}
              pending={isPending}
              onClick={open}
            >
              {t('manage')}
            </Button>
          ) : null}
        </div>
      </div>
    </Panel>
  )
}

function Until({ subscription: { status, ends, pay_by } }: { subscription: Subscription }) {
  const day = useLocalDate(parseTimestamp(pay_by || ends || '1970-01-01 00:00:00.000Z'))
  if (status !== 'active') return <p className="text-sm">{t('subscriptionEnded')}</p>
  if (pay_by)
    return (
      <p className="rounded-md bg-paused-tint p-3 text-sm text-paused">
        {t('paymentFailed', { day })}
      </p>
    )
  return ends ? <p className="text-sm">{t('cancelledUntil', { day })}</p> : null
}
