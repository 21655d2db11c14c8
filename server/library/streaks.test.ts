import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findStreaks } from './streaks.ts'

test('without days off, a streak is days that follow each other', () => {
  expect(findStreaks([], 20, 0)).toEqual({ longest: 0, current: 0 })
  expect(findStreaks([1, 2, 3, 7], 7, 0)).toEqual({ longest: 3, current: 1 })
  // Yesterday's isn't lost before today is over.
  expect(findStreaks([1, 2, 3], 4, 0)).toEqual({ longest: 3, current: 3 })
  expect(findStreaks([1, 2, 3], 5, 0)).toEqual({ longest: 3, current: 0 })
})

test('a day off a week ends no streak and doesn’t count', () => {
  expect(findStreaks([1, 2, 4, 5], 5, 1)).toEqual({ longest: 4, current: 4 })
  // The third day and the tenth are a week apart, the third and the ninth are not.
  expect(findStreaks([1, 2, 4, 5, 6, 7, 8, 9, 11], 11, 1).longest).toBe(9)
  expect(findStreaks([1, 2, 4, 5, 6, 7, 8, 10], 10, 1)).toEqual({ longest: 7, current: 6 })
  expect(findStreaks([1, 2, 3], 5, 1).current).toBe(3)
  expect(findStreaks([1, 2, 3], 6, 1).current).toBe(0)
  expect(findStreaks([1, 2, 3], 6, 2).current).toBe(3)
})

test('streaks are the longest stretches that no week with too many days off divides', () => {
  const days = fc
    .uniqueArray(fc.nat(40), { maxLength: 40 })
    .map((all) => all.toSorted((a, b) => a - b))
  fc.assert(
    fc.property(days, fc.nat(45), fc.nat(3), (all, today, daysOff) => {
      expect(findStreaks(all, today, daysOff)).toEqual(streaksOf(all, today, daysOff))
    }),
    { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 500) },
  )
})

/** Tries every stretch and looks at each of its weeks. */
function streaksOf(days: readonly number[], today: number, daysOff: number) {
  const read = new Set(days)
  const isStreak = (from: number, to: number) => {
    for (let start = from; start <= to; start++) {
      let off = 0
      for (let day = start; day < start + 7 && day <= to; day++) if (!read.has(day)) off++
      // A stretch to today may end with today, on which nothing is read yet.
      if (to === today && !read.has(today) && start + 7 > today) off--
      if (off > daysOff) return false
    }
    return true
  }
  const count = (from: number, to: number) => days.filter((day) => day >= from && day <= to).length
  const end = Math.max(today, days.at(-1) ?? 0)
  let [longest, current] = [0, 0]
  for (const from of days) {
    for (const to of days)
      if (from <= to && isStreak(from, to)) longest = Math.max(longest, count(from, to))
    if (from <= end && isStreak(from, end)) current = Math.max(current, count(from, end))
  }
  return { longest, current }
}
