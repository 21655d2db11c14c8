import type { Logger } from 'pino'
import { tableJobs } from '#server/runtime/job-table.ts'
import { runJobs, type JobRunner } from '#server/runtime/jobs.ts'
import { customerJobs } from './customers.ts'
import { refreshCustomer, type Billing } from './refresh.ts'

/** Milliseconds between checks for due customers. */
const every = 10_000

/**
 * Keeps customers in step with the provider: deletes those whose account is gone, ends what stayed
 * unpaid, and asks about those of whom a message is overdue. What is due is in the database, so it
 * survives restarts and outages of the provider.
 */
export function syncCustomers(billing: Billing, log: Logger): JobRunner {
  return runJobs(dueCustomers(billing, log), {
    every,
    onError: (error) => log.error({ err: error }, 'customers could not be read'),
  })
}

/** The customers that are due for a check; those whose check fails are due again later. */
export function dueCustomers(billing: Billing, log: Pick<Logger, 'warn'>) {
  return tableJobs(billing.database, customerJobs, {
    run: ({ customer }) => refreshCustomer(billing, customer),
    failed: ({ customer }, error) =>
      log.warn({ err: error, customer }, 'a customer could not be synchronised'),
    now: () => billing.now().getTime(),
  })
}
