import { afterEach, expect, test } from 'vitest'
import type { Language } from '#shared/language.ts'
import {
  formatAgo,
  formatDate,
  formatDay,
  formatList,
  formatNumber,
  sentenceSpace,
} from './format.ts'
import { setLanguageOfRequest } from './language.ts'

const speak = (language: string) => setLanguageOfRequest(() => language as Language)
afterEach(() => speak('en'))

const moment = new Date('2026-01-31T23:30:00Z')

test('a day is in figures, in the zone that is asked for', () => {
  expect(formatDay(moment, 'UTC')).toBe('31-01-2026')
  expect(formatDay(moment, 'Asia/Tokyo')).toBe('01-02-2026')
  speak('de')
  expect(formatDay(moment, 'UTC')).toBe('31.01.2026')
})

test('dates, numbers and lists are written as the language of the page does', () => {
  expect(formatDate(moment, { dateStyle: 'long', timeZone: 'UTC' })).toBe('January 31, 2026')
  expect(formatDate(new Date(2026, 0, 31))).toBe('Jan 31, 2026')
  expect(formatNumber(1234.5)).toBe('1,234.5')
  expect(formatList(['a', 'b', 'c'])).toBe('a, b, and c')
  speak('de')
  expect(formatDate(moment, { dateStyle: 'long', timeZone: 'UTC' })).toBe('31. Januar 2026')
  expect(formatNumber(1234.5)).toBe('1.234,5')
  expect(formatList(['a', 'b', 'c'])).toBe('a, b und c')
})

test.each([
  [0, 'now'],
  [1_000, '1 second ago'],
  [90_000, '2 minutes ago'],
  [3 * 3_600_000, '3 hours ago'],
  [86_400_000, 'yesterday'],
  [29 * 86_400_000, '29 days ago'],
  [45 * 86_400_000, '2 months ago'],
  [800 * 86_400_000, '2 years ago'],
  // A clock may be slow.
  [-5_000, 'now'],
  [-3 * 86_400_000, 'now'],
])('what was %i ms ago is "%s"', (passed, words) => {
  expect(formatAgo(moment, moment.getTime() + passed)).toBe(words)
})

test('time that has passed is told in the language of the page', () => {
  speak('ja')
  expect(formatAgo(moment, moment.getTime() + 3_600_000)).toBe('1時間前')
})

test('sentences are separated by a space, but not in Japanese', () => {
  expect(sentenceSpace()).toBe(' ')
  speak('ja')
  expect(sentenceSpace()).toBe('')
})
