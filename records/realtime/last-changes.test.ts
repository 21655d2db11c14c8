import { expect, test } from 'vitest'
import { LastChanges } from './last-changes.ts'

test('knows when records of an account last changed', () => {
  const changes = new LastChanges(100)
  expect(changes.of('ann')).toBe(100)
  changes.note(['ann'], 150)
  changes.note(['ann', 'ben'], 170)
  expect([changes.of('ann'), changes.of('ben'), changes.of('cleo')]).toEqual([170, 170, 100])
  changes.noteAll(200)
  expect(changes.of('ann')).toBe(200)
})

test('returns the latest forgotten change for accounts it no longer tracks', () => {
  const changes = new LastChanges(0)
  changes.note(['ann'], 1)
  for (let at = 2; at <= 10_002; at++) changes.note([`reader ${at}`], at)
  expect(changes.of('ann')).toBe(2)
  expect(changes.of('reader 10002')).toBe(10_002)
  expect(changes.of('reader 3')).toBe(3)
})
