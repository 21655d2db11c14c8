import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Period } from '#shared/plan.ts'
import { openCheckout } from '#web/api/billing.ts'
import { loginPath, useSession } from '#web/api/session.ts'
import { useHasPlans, useSite } from '#web/api/site.ts'
import { Button } from '#web/ui/button.tsx'
import { TextLink } from '#web/ui/link.tsx'
import { rich, t } from '#web/i18n/pricing.ts'
import { useManageSubscription } from './manage-subscription.ts'
import { usePaymentPage } from './payment-page.ts'

/** The viewer's button for the premium plan; nothing where everyone has everything. */
export function Subscribe({ period }: { period: Period }) {
  const session = useSession()
  const { payments } = useSite()
  const hasPlans = useHasPlans()
  if (session?.hasSubscriptionStrict) return <Subscribed />
  if (!hasPlans) return null
  if (!payments) return <Note>{t('askForPremium')}</Note>
  return <Checkout period={period} isReader={Boolean(session)} checkout={payments.checkout} />
}

function Checkout(props: { period: Period; isReader: boolean; checkout: string }) {
  const { period, isReader, checkout } = props
  const [search] = useSearchParams()
  const discount = (search.get('discount') ?? '').trim().toUpperCase()
  const { open, isPending } = usePaymentPage((api) =>
    openCheckout(api, checkout, { period, discount }),
  )
  const chosen = new URLSearchParams({ period, ...(discount && { discount }) })
  return (
    <>
      {discount ? (
        <Note>
          {rich('discountApplies', {
            code: discount,
            remove: withoutDiscount(period),
          })}
        </Note>
      ) : null}
      {isReader ? (
        <Button variant="primary" pending={isPending} onClick={open}>
          {t('subscribe')}
        </Button>
      ) : (
        <Button variant="primary" asChild>
          <Link to={loginPath(`/pricing?${chosen.toString()}`)}>{t('subscribe')}</Link>
        </Button>
      )}
    </>
  )
}

const withoutDiscount = (period: Period) => (text: ReactNode) => (
  <TextLink asChild>
    <Link to={`/pricing?period=${period}`} preventScrollReset>
      {text}
    </Link>
  </TextLink>
)

function Subscribed() {
  const { open, isPending } = useManageSubscription()
  return (
    <>
      <Note>{t('youHavePremium')}</Note>
      <Button pending={isPending} onClick={open}>
        {t('manage')}
      </Button>
    </>
  )
}

function Note({ children }: { children: ReactNode }) {
  return <p className="text-sm text-ink-soft">{children}</p>
}
