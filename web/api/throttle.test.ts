import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { throttle } from './throttle.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('one call runs at once, and only once', () => {
  const work = vi.fn()
  throttle(work, 500).run()
  expect(work).toHaveBeenCalledTimes(1)
  vi.runAllTimers()
  expect(work).toHaveBeenCalledTimes(1)
})

test('fifty calls run twice: at once, and when the pause ends', () => {
  const work = vi.fn()
  const { run } = throttle(work, 500)
  for (let call = 0; call < 50; call++) run()
  expect(work).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(500)
  expect(work).toHaveBeenCalledTimes(2)
  vi.runAllTimers()
  expect(work).toHaveBeenCalledTimes(2)
})

test('a call after the pause runs at once again', () => {
  const work = vi.fn()
  const { run } = throttle(work, 500)
  run()
  vi.advanceTimersByTime(500)
  run()
  expect(work).toHaveBeenCalledTimes(2)
})

test('what waits at the end runs then, once', () => {
  const work = vi.fn()
  const { run, finish } = throttle(work, 500)
  run()
  run()
  finish()
  expect(work).toHaveBeenCalledTimes(2)
  vi.runAllTimers()
  expect(work).toHaveBeenCalledTimes(2)
})
