import type { Logger } from 'pino'
import { claimDueCustomer } from './customers.ts'
import { refreshCustomer, type Billing } from './refresh.ts'

/** Milliseconds between checks for due customers. */
const every = 10_000

/**
 * Keeps customers in step with the provider: deletes those whose account is gone, ends what stayed
 * unpaid, and asks about those of whom a message is overdue. What is due is in the database, so it
 * survives restarts and outages of the provider.
 *
 * @returns a function that stops it after the current work
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

/** Syncs all due customers; those that fail are due again later. */
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
