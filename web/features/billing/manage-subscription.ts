import { openPortal } from '#web/api/billing.ts'
import { useSite } from '#web/api/site.ts'
import { usePaymentPage } from './payment-page.ts'

/** Opens the page where the reader manages their subscription. */
export function useManageSubscription() {
  const { payments } = useSite()
  return usePaymentPage((api) => openPortal(api, payments?.portal ?? ''))
}
