import type Stripe from 'stripe'

/** How long a failed payment leaves premium as it is; milliseconds. */
export const gracePeriod = 72 * 60 * 60 * 1000

const hour = 60 * 60 * 1000

/** What we read of a subscription as the provider has it. */
export type ProviderSubscription = Pick<
  Stripe.Subscription,
  'status' | 'created' | 'cancel_at' | 'cancel_at_period_end'
> & { items: { data: readonly { current_period_end: number }[] } }

/** Where a customer stands. */
export interface SubscriptionState {
  /** `active` is premium; anything else is the provider's word for why it is not. */
  status: string
  /** When it ends, if it was cancelled for later. */
  ends: Date | null
  /** Until when a failed payment can be made without losing premium. */
  payBy: Date | null
  owedSince: Date | null
  /** When to look again, should the provider tell nothing until then. */
  nextCheck: Date | null
}

/**
 * Works out a customer's state from everything they ever bought: the best of it counts, and of equals the
 * newest. A failed payment takes nothing away for 72 hours.
 *
 * @param bought everything, ended or not, in any order
 * @param owedSince since when a payment is owed, as far as we knew
 */
export function subscriptionStateOf(
  bought: readonly ProviderSubscription[],
  owedSince: Date | null,
  now: Date,
): SubscriptionState | null {
  const [best] = bought.toSorted((a, b) => rank(a) - rank(b) || b.created - a.created)
  if (!best) return null
  const none: SubscriptionState = {
    status: best.status,
    ends: null,
    payBy: null,
    owedSince: null,
    nextCheck: null,
  }
  if (rank(best) === 0) {
    const period = date(Math.min(...best.items.data.map((item) => item.current_period_end)))
    const atPeriodEnd = best.cancel_at_period_end ? period : null
    const ends = best.cancel_at ? date(best.cancel_at) : atPeriodEnd
    const next = (ends ?? period)?.getTime() ?? 0
    const nextCheck = new Date(Math.max(next, now.getTime()) + hour)
    return { ...none, status: 'active', ends, nextCheck }
  }
  if (rank(best) > 1) return none
  const since = owedSince ?? now
  const payBy = new Date(since.getTime() + gracePeriod)
  if (now < payBy) return { ...none, status: 'active', payBy, owedSince: since, nextCheck: payBy }
  return { ...none, owedSince: since, nextCheck: new Date(now.getTime() + 24 * hour) }
}

/** 0 for what is paid, 1 for what is owed, 2 for what is over or never began. */
function rank({ status }: ProviderSubscription): number {
  if (status === 'active' || status === 'trialing') return 0
  return status === 'past_due' || status === 'unpaid' ? 1 : 2
}

/** @param seconds since 1970, as the provider counts */
function date(seconds: number): Date | null {
  return Number.isFinite(seconds) ? new Date(seconds * 1000) : null
}
