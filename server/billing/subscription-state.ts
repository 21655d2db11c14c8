import type Stripe from 'stripe'

/** Milliseconds for which premium stays after a failed payment. */
export const gracePeriod = 72 * 60 * 60 * 1000

const hour = 60 * 60 * 1000

/** The fields we read from the provider's subscription. */
export type ProviderSubscription = Pick<
  Stripe.Subscription,
  'status' | 'created' | 'cancel_at' | 'cancel_at_period_end'
> & { items: { data: readonly { current_period_end: number }[] } }

/** A customer's subscription state. */
export interface SubscriptionState {
  /** `active` is premium; anything else is the provider's status. */
  status: string
  /** When it ends, if it was cancelled. */
  ends: Date | null
  /** The deadline for a failed payment, before premium ends. */
  payBy: Date | null
  owedSince: Date | null
  /** When to check again if no message arrives before. */
  nextCheck: Date | null
}

/**
 * Derives a customer's state from all their subscriptions: the best one counts, and among equals
 * the newest. A failed payment takes nothing away for 72 hours.
 *
 * @param bought all subscriptions, ended or not, in any order
 * @param owedSince since when a payment was overdue at the last check
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

/** 0 for paid, 1 for overdue, 2 for ended or never started. */
function rank({ status }: ProviderSubscription): number {
  if (status === 'active' || status === 'trialing') return 0
  return status === 'past_due' || status === 'unpaid' ? 1 : 2
}

/** @param seconds since 1970 */
function date(seconds: number): Date | null {
  return Number.isFinite(seconds) ? new Date(seconds * 1000) : null
}
