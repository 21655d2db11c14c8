import { sql } from 'kysely'
import type Stripe from 'stripe'
import type { Database } from '#records/index.ts'
import type { LibraryRecords, LibraryTransaction } from '#server/collections/stored.ts'
import { lockReader } from '#server/collections/locks.ts'
import { selectBy } from '#server/collections/select.ts'
import { modify, query } from '#server/storage/query.ts'
import { findCustomer, deleteCustomer, type Customer } from './customers.ts'
import { isMissing } from './provider.ts'
import { subscriptionStateOf, type SubscriptionState } from './subscription-state.ts'

/** The dependencies of billing. */
export interface Billing {
  database: Database
  records: Pick<LibraryRecords, 'write' | 'authenticate'>
  provider: Stripe
  now: () => Date
}

/** How often another process may win before the refresh is left to the next check. */
const tries = 10

/**
 * Updates a customer's state. The provider is always asked again, so the order of its messages
 * doesn't matter; the last answer wins. A customer whose account is gone is deleted at the
 * provider, which ends their subscriptions.
 *
 * @param event the message that caused this; recorded with its effect, so that it has it only once
 * @throws the provider's error; then nothing has changed
 */
export async function refreshCustomer(
  billing: Billing,
  customer: string,
  event?: string,
): Promise<void> {
  for (let n = 0; n < tries; n++) {
    const known = await findCustomer(billing.database, customer)
    if (!known) return
    if (known.user === null) return endCustomer(billing, customer)
    const bought = await allBought(billing.provider, customer)
    const now = billing.now()
    const state = subscriptionStateOf(bought, known.owedSince, now)
    const isDone = await billing.records.write((tx) => apply(tx, known, state, now, event))
    if (isDone) return
  }
  throw new Error(`customer ${customer} kept changing`)
}

async function endCustomer({ provider, records }: Billing, customer: string): Promise<void> {
  try {
    await provider.customers.del(customer)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  await records.write((tx) => deleteCustomer(tx, customer))
}

/** All subscriptions a customer ever had; none for one the provider no longer has. */
async function allBought(provider: Stripe, customer: string): Promise<Stripe.Subscription[]> {
  try {
    return (await provider.subscriptions.list({ customer, status: 'all', limit: 100 })).data
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

const subscriptionsOf = selectBy('subscriptions', ['id'], ['user'])

/** @returns false, without writing, if the stored state has changed since */
async function apply(
  tx: LibraryTransaction,
  { customer, user, version }: Customer,
  state: SubscriptionState | null,
  now: Date,
  event: string | undefined,
): Promise<boolean> {
  await lockReader(tx, user)
  const known = await findCustomer(tx, customer)
  if (known?.version !== version || known.user !== user) return false
  if (event !== undefined && !(await isNewEvent(tx, event, now))) return true
  await modify(
    tx,
    'billing_customers',
    sql`UPDATE billing_customers SET version = version + 1, attempts = 0,
        owed_since = ${instant(state?.owedSince)}, due = ${instant(state?.nextCheck)}
      WHERE customer = ${customer}`,
  )
  const [row] = user ? await subscriptionsOf(tx, { user }) : []
  const values = {
    status: state?.status ?? 'canceled',
    ends: instant(state?.ends),
    pay_by: instant(state?.payBy),
  }
  if (row) await tx.update('subscriptions', row.id, values)
  // A purchase that was never completed makes no record.
  else if (user && values.status === 'active') await tx.create('subscriptions', { user, ...values })
  return true
}

/** Milliseconds for which events are kept; the provider repeats one for three days. */
const eventLife = 60 * 24 * 60 * 60 * 1000

/** Records an event in the transaction of its effect. @returns false if it was already recorded */
async function isNewEvent(tx: LibraryTransaction, event: string, now: Date): Promise<boolean> {
  const old = instant(new Date(now.getTime() - eventLife))
  await modify(tx, 'billing_events', sql`DELETE FROM billing_events WHERE received < ${old}`)
  const inserted = await modify(
    tx,
    'billing_events',
    sql`INSERT INTO billing_events (id, received) VALUES (${event}, ${instant(now)})
      ON CONFLICT (id) DO NOTHING RETURNING id`,
  )
  return inserted.length > 0
}

/** @returns whether an event has had its effect */
export async function isKnownEvent(database: Database, event: string): Promise<boolean> {
  return (await query(database, sql`SELECT 1 FROM billing_events WHERE id = ${event}`)).length > 0
}

const instant = (date: Date | null | undefined) => date?.toISOString() ?? ''
