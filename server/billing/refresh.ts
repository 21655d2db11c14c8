import { sql } from 'kysely'
import type Stripe from 'stripe'
import type { Database, Records, WriteTransaction } from '#records/index.ts'
import { lockReader } from '#server/library/locks.ts'
import { modify, query } from '#server/query.ts'
import { findCustomer, deleteCustomer, type Customer } from './customers.ts'
import { isMissing } from './provider.ts'
import { subscriptionStateOf, type SubscriptionState } from './subscription-state.ts'

/** What billing works with. */
export interface Billing {
  database: Database
  records: Pick<Records, 'write' | 'authenticate'>
  provider: Stripe
  now: () => Date
}

/** How often somebody else may be quicker before it is left to the next look. */
const tries = 10

/**
 * Brings what we know of a customer up to date. The provider is always asked anew, so the order in
 * which it tells of changes does not matter; whoever has asked last is the one whose answer stays. A
 * customer whose account is gone is deleted at the provider, which ends what they subscribe to.
 *
 * @param event the message that made us ask; noted along with its effect, which it has only once
 * @throws what the provider throws when it cannot be asked; nothing has changed then
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

/** Everything a customer ever subscribed to; nothing for one the provider no longer has. */
async function allBought(provider: Stripe, customer: string): Promise<Stripe.Subscription[]> {
  try {
    return (await provider.subscriptions.list({ customer, status: 'all', limit: 100 })).data
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** @returns false if what we knew has changed since: nothing is written then */
async function apply(
  tx: WriteTransaction,
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
  const [row] = await query(tx, sql`SELECT id FROM subscriptions WHERE "user" = ${user}`)
  const values = {
    status: state?.status ?? 'canceled',
    ends: instant(state?.ends),
    pay_by: instant(state?.payBy),
  }
  if (row) await tx.update('subscriptions', String(row[0]), values)
  // A purchase that never began is none.
  else if (values.status === 'active') await tx.create('subscriptions', { user, ...values })
  return true
}

/** How long events are remembered; the provider repeats one for three days. */
const eventLife = 60 * 24 * 60 * 60 * 1000

/** Notes an event in the transaction of its effect. @returns false if it was there */
async function isNewEvent(tx: WriteTransaction, event: string, now: Date): Promise<boolean> {
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
