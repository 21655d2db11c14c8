import { Link } from 'react-router'
import type { Subscription } from '#shared/account.ts'
import { useSession } from '#web/api/session.ts'
import { useHasPlans, useSite } from '#web/api/site.ts'
import { useManageSubscription } from '#web/features/billing/manage-subscription.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { parseTimestamp, useLocalDate } from '#web/ui/timestamp.tsx'
import { t } from '#web/i18n/account.ts'
import { SettingsRow } from './settings-section.tsx'

/** The plan a reader is on, until when, and the way to change it. */
export function SubscriptionRow() {
  const session = useSession()
  const site = useSite()
  const { open, isPending } = useManageSubscription()
  const subscription = session?.subscription
  const isActive = Boolean(session?.hasSubscriptionStrict)
  // A site without plans shows a state only to readers who have a subscription.
  const hasState = useHasPlans() || isActive
  return (
    <SettingsRow
      title={t('manageSubscription')}
      badge={
        hasState ? (
          <Badge tone={isActive ? 'success' : undefined}>
            {isActive ? t('active') : t('inactive')}
          </Badge>
        ) : null
      }
      hint={
        !hasState
          ? t('everyoneHasEverything')
          : isActive
            ? t('youHavePremium')
            : t('youreOnTheFreePlan')
      }
      control={
        hasState && site.payments ? (
          <div className="flex flex-wrap gap-3">
            {isActive ? null : (
              <Button asChild>
                <Link to="/pricing">{t('subscribe')}</Link>
              </Button>
            )}
            {subscription ? (
              <Button
                variant={subscription.pay_by ? 'primary' : isActive ? 'secondary' : 'quiet'}
                pending={isPending}
                onClick={open}
              >
                {t('manage')}
              </Button>
            ) : null}
          </div>
        ) : null
      }
    >
      {!hasState ? null : subscription ? (
        <Until subscription={subscription} />
      ) : site.payments ? null : (
        <p className="text-sm">{t('thisSiteDoesntTakePayments')}</p>
      )}
    </SettingsRow>
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
