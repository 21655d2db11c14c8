import { expect, test } from 'vitest'
import { recentPushes, withPush } from './pushes.ts'

const push = (day: string, percent: number, applied = false) => ({
  day,
  at: `${day}T20:00:00.000Z`,
  percent,
  applied,
})

test('a push that is no further than the one before says nothing new', () => {
  const known = [push('2026-03-01', 50, true)]
  expect(withPush(known, 50, push('2026-03-01', 50))).toBe(known)
  expect(withPush(known, 50, push('2026-03-02', 20))).toBe(known)
})

test('a day has one row, which grows until it is applied', () => {
  const first = withPush([], 0, push('2026-03-01', 10))
  const second = withPush(first, 10, push('2026-03-01', 30))
  expect(second).toEqual([push('2026-03-01', 30)])
  // Another device is behind, and moves on.
  expect(withPush(second, 5, push('2026-03-01', 12))).toEqual([push('2026-03-01', 30)])
  expect(withPush(second, 30, push('2026-03-02', 40))).toHaveLength(2)
})

test('a second time through a book counts from its beginning', () => {
  const known = [push('2026-03-01', 100, true)]
  expect(withPush(known, 3, push('2026-03-01', 8))).toEqual([push('2026-03-01', 8)])
})

test('forgets what is older than 30 days', () => {
  const all = [push('2026-03-01', 10), push('2026-03-20', 20)]
  expect(recentPushes(all, new Date('2026-04-05T00:00:00Z'))).toEqual(all.slice(1))
  expect(recentPushes(all.slice(0, 1), new Date('2026-03-31T20:00:00Z'))).toHaveLength(1)
  expect(recentPushes(null, new Date())).toEqual([])
})
