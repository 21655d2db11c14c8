import type { Logger } from 'pino'
import { claimDueCustomer } from './customers.ts'
import { refreshCustomer, type Billing } from './refresh.ts'

/** How often it is looked whether a customer is due; milliseconds. */
const every = 10_000

/**
 * Looks after customers by itself: deletes at the provider those whose account is gone, ends what
 * stayed unpaid, and asks about those of whom the provider should have told something. What is to be
 * done stands in the database, so it survives restarts and days without the provider.
 *
 * @returns stops it, once what is on its way is done
 */
export function syncCustomers(billing: Billing, log: Logger): () => Promise<void> {
  let isOver = false
  let running: Promise<void> | undefined
  const look = () => {
    running ??= syncDueCustomers(billing, log, () => isOver)
      .catch((error: unknown) => isOver || log.error({ err: error }, 'customers could not be read'))
      .then(() => (running = undefined))
  }
  look()
  const timer = setInterval(look, every).unref()
  return async () => {
    isOver = true
    clearInterval(timer)
    await running
  }
}

/** Settles everybody who is due; who cannot be settled is due again later. */
export async function syncDueCustomers(
  billing: Billing,
  log: Logger,
  isOver = () => false,
): Promise<void> {
  while (!isOver()) {
    const customer = await claimDueCustomer(billing.database, billing.now())
    if (customer === undefined) return
    await refreshCustomer(billing, customer).catch((error: unknown) =>
      log.warn({ err: error, customer }, 'a customer could not be synchronised'),
    )
  }
}
