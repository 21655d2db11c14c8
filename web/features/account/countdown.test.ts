import { expect, test } from 'vitest'
import { formatCountdown, secondsLeft } from './countdown.ts'

test('a code that was just sent has its three minutes', () => {
  expect(formatCountdown(secondsLeft(1_000_000 + 180_000, 1_000_000))).toBe('3:00')
})

test('a started second counts until it is over, and nothing is left after the end', () => {
  expect(secondsLeft(10_000, 9_001)).toBe(1)
  expect(secondsLeft(10_000, 10_000)).toBe(0)
  expect(secondsLeft(10_000, 99_000)).toBe(0)
})

test('seconds below ten keep their place', () => {
  expect([0, 9, 60, 125].map(formatCountdown)).toEqual(['0:00', '0:09', '1:00', '2:05'])
})
