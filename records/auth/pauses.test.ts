import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { Pauses } from './pauses.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

function open(): Pauses {
  const pauses = new Pauses()
  onTestFinished(() => pauses.close())
  return pauses
}

/** Time goes by without the process. */
const stand = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

it('counts the time in which the process stood still', () => {
  const pauses = open()
  const start = Date.now()
  vi.advanceTimersByTime(60_000)
  expect(pauses.since(start)).toBe(0)
  stand(20)
  expect(pauses.since(start)).toBe(20_000)
  vi.advanceTimersByTime(10_000)
  stand(3600)
  expect(pauses.since(start)).toBe(3_620_000)
})

it('counts of a pause what came after the time', () => {
  const pauses = open()
  const start = Date.now()
  stand(20)
  expect(pauses.since(start + 15_000)).toBe(5000)
  expect(pauses.since(start + 20_000)).toBe(0)
})

it('takes no moment of much work for a pause, nor a clock that is put back', () => {
  const pauses = open()
  const start = Date.now()
  stand(4)
  stand(-3600)
  expect(pauses.since(start - 10_000_000)).toBe(0)
})
