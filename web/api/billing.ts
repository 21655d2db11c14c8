import type PocketBase from 'pocketbase'
import type { Period } from '#shared/plan.ts'
import { isProviderUrl } from '#shared/provider-url.ts'
import { fetchData } from './fetch-data.ts'

/** An address that is not the payment provider's; nobody is sent there. */
export class PaymentAddressError extends Error {}

/** @returns where the reader pays for what they chose. @throws PaymentAddressError */
export function openCheckout(
  api: PocketBase,
  checkout: string,
  { period, discount }: { period: Period; discount: string },
): Promise<string> {
  const body = { product_name: period, ...(discount && { discount_code: discount }) }
  return askForPage(api, 'create', body, checkout)
}

/** @returns where the reader manages their subscription. @throws PaymentAddressError */
export function openPortal(api: PocketBase, portal: string): Promise<string> {
  return askForPage(api, 'billing', {}, portal)
}

async function askForPage(
  api: PocketBase,
  call: 'create' | 'billing',
  body: object,
  origin: string,
): Promise<string> {
  const path = `/api/v1/subscriptions/${call}`
  const page = await fetchData<unknown>(api, path, { method: 'POST', body })
  if (!isProviderUrl(page, origin)) throw new PaymentAddressError()
  return page
}
