import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Activity } from '#shared/activity.ts'
import { mergeEntries, type TimelineEntries } from './timeline.ts'

const size = 15

const entry = (n: number): Activity =>
  ({ id: `e${n}`, user: 'ann', created: `2026-01-01 00:00:00.${1000 + n}Z` }) as unknown as Activity

/** The newest entries of those there are, as the server answers. */
function newestOf(numbers: readonly number[]): TimelineEntries {
  const entries = numbers.toSorted((a, b) => b - a).slice(0, size)
  return { entries: entries.map(entry), hasMore: entries.length === size }
}

const namesOf = ({ entries }: TimelineEntries) => entries.map(({ id }) => id)

test('entries that come and go leave neither gaps nor repeats', () => {
  const some = fc.uniqueArray(fc.integer({ min: 0, max: 400 }), { maxLength: 120 })
  fc.assert(
    fc.property(some, some, fc.nat(100), (before, added, reach) => {
      const sorted = before.toSorted((a, b) => b - a)
      const shown = sorted.slice(0, reach)
      const known = { entries: shown.map(entry), hasMore: shown.length < sorted.length }
      const least = Math.max(-1, ...before)
      // Newer than all there were.
      const now = [...before, ...added.map((n) => n + least + 1)]
      const result = namesOf(mergeEntries(known, newestOf(now)))
      const all = now.toSorted((a, b) => b - a).map((n) => `e${n}`)
      expect(result).toEqual(all.slice(0, result.length))
      expect(result.length).toBeGreaterThanOrEqual(Math.min(size, all.length))
    }),
  )
})

test('what was scrolled to stays when one entry comes', () => {
  const numbers = Array.from({ length: 60 }, (_, n) => n)
  const known = { entries: numbers.toReversed().slice(0, 45).map(entry), hasMore: true }
  const result = mergeEntries(known, newestOf([...numbers, 60]))
  expect(result.entries).toHaveLength(46)
  expect(result.hasMore).toBe(true)
})

test('an entry that is gone from the newest is gone', () => {
  const known = { entries: [5, 4, 3].map(entry), hasMore: false }
  expect(namesOf(mergeEntries(known, newestOf([5, 3])))).toEqual(['e5', 'e3'])
})
