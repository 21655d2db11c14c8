import { expect, test } from 'vitest'
import {
  gracePeriod,
  subscriptionStateOf,
  type ProviderSubscription,
} from './subscription-state.ts'

const now = new Date('2026-01-10T12:00:00Z')
const seconds = (date: string) => Date.parse(date) / 1000
const periodEnd = '2026-02-01T00:00:00Z'

const bought = (fields: Partial<ProviderSubscription>): ProviderSubscription => ({
  status: 'active',
  created: 1,
  cancel_at: null,
  cancel_at_period_end: false,
  items: { data: [{ current_period_end: seconds(periodEnd) }] },
  ...fields,
})

test.each([
  [[bought({})], 'active', null],
  [[bought({ status: 'trialing' })], 'active', null],
  [[bought({ cancel_at_period_end: true })], 'active', periodEnd],
  [[bought({ cancel_at: seconds('2026-01-20T00:00:00Z') })], 'active', '2026-01-20T00:00:00Z'],
  [[bought({ status: 'canceled' })], 'canceled', null],
  [[bought({ status: 'incomplete' })], 'incomplete', null],
  [[bought({ status: 'paused' })], 'paused', null],
  // The one that is paid counts, wherever it stands.
  [[bought({ status: 'canceled', created: 9 }), bought({})], 'active', null],
  [[bought({}), bought({ status: 'past_due', created: 9 })], 'active', null],
] as const)('%j is %s', (all, status, ends) => {
  const state = subscriptionStateOf(all, null, now)
  expect(state).toMatchObject({ status, payBy: null, owedSince: null })
  expect(state?.ends ?? null).toEqual(ends && new Date(ends))
})

test('a failed payment takes nothing away for 72 hours, counted from the first', () => {
  const owed = [bought({ status: 'past_due' })]
  const first = subscriptionStateOf(owed, null, now)
  expect(first).toMatchObject({ status: 'active', owedSince: now })
  expect(first?.payBy?.getTime()).toBe(now.getTime() + gracePeriod)
  expect(first?.nextCheck).toEqual(first?.payBy)
  const last = new Date(now.getTime() + gracePeriod - 1)
  expect(subscriptionStateOf(owed, now, last)).toMatchObject({
    status: 'active',
    payBy: first?.payBy,
  })
  const late = new Date(now.getTime() + gracePeriod)
  expect(subscriptionStateOf(owed, now, late)).toMatchObject({ status: 'past_due', payBy: null })
  // What is paid at last is paid, and the next failure counts anew.
  expect(subscriptionStateOf([bought({})], now, late)).toMatchObject({
    status: 'active',
    owedSince: null,
  })
})

test('a customer who bought nothing has no state', () =>
  expect(subscriptionStateOf([], null, now)).toBeNull())
