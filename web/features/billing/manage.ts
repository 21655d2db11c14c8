import { openPortal } from '#web/api/billing.ts'
import { isPremium, useSession } from '#web/api/session.ts'
import { useSite } from '#web/api/site.ts'
import { usePaymentPage } from './payment-page.ts'

/** What a reader can do about their plan. */
type PlanDeed = 'subscribe' | 'manage' | undefined

/** @returns `manage` with a subscription, `subscribe` without; nothing where everybody has premium */
export function usePlanDeed(): PlanDeed {
  const session = useSession()
  const site = useSite()
  if (session?.subscription?.status === 'active') return 'manage'
  return isPremium(session, site) ? undefined : 'subscribe'
}

/** Opens the page where the reader manages their subscription. */
export function useManage() {
  const { payments } = useSite()
  return usePaymentPage((api) => openPortal(api, payments?.portal ?? ''))
}
